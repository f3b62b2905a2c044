import * as z from 'zod';
import { defineTool, type Tool } from '../tool/tool.ts';
import { renderWindow } from './read-view.ts';
import { defaultLimit, seeWindow } from './read-window.ts';

/** `read_file` of `shiro` and `native`: numbered lines, a window at a time. */
export const shiroReadFile: Tool = defineTool({
  name: 'read_file',
  description: `Read a text file as numbered lines ("12: text"). Reads ${defaultLimit} lines from the start unless offset and limit say otherwise. Binary files are refused.`,
  set: 'core',
  readOnly: true,
  input: z.strictObject({
    path: z.string().describe('file path relative to the workspace root'),
    offset: z.int().min(1).optional().describe('first line, 1-based'),
    limit: z.int().min(1).optional().describe(`max lines, default ${defaultLimit}`),
  }),
  prepare: ({ path: text, ...range }, context) => {
    const path = context.workspace.resolve(text);
    return {
      effects: [{ kind: 'read', path }],
      subject: path.given,
      plan: async () => ({ type: 'answer', text: renderWindow(await seeWindow(context, path, range), path.given) }),
    };
  },
});
