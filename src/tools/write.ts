import * as z from 'zod';
import { ToolError } from '../base/error.ts';
import type { ChangeSet } from '../change/change.ts';
import { rewriteText } from '../change/rewrite.ts';
import { stateNow } from '../change/state-now.ts';
import { type Call, type ChangePlan, defineTool, type ToolContext } from '../tool/tool.ts';
import { type FileState, fileState } from '../workspace/file-state.ts';
import type { FilePath } from '../workspace/path.ts';
import { inGo } from './go-error.ts';

/** `write_file` of `shiro` and `native`. */
export const shiroWriteFile = defineTool({
  name: 'write_file',
  set: 'core',
  description: 'Create a file or rewrite one whole. To change part of a file use edit_file.',
  input: z.strictObject({ path: z.string(), content: z.string().describe('full contents') }),
  prepare: ({ path, content }, context) => prepareWrite(context, path, content, createdOrUpdated),
});

/** `write_file` of `udiff`. */
export const udiffWriteFile = defineTool({
  name: 'write_file',
  description:
    'Create a file or fully replace one. To change part of a file use edit_file: rewriting from memory can drop content.',
  input: z.strictObject({ path: z.string(), content: z.string().describe('full new content, may be empty') }),
  prepare: ({ path, content }, context) => prepareWrite(context, path, content, createdOrUpdated),
});

/** `write` of `rousseau`. */
export const rousseauWrite = defineTool({
  name: 'write',
  description: 'Write UTF-8 text to a file, replacing existing contents. Creates parent directories as needed.',
  input: z.strictObject({
    path: z.string().describe('Absolute filesystem path to write.'),
    content: z.string().describe('The complete file contents to write.'),
  }),
  prepare: ({ path, content }, context) =>
    inGo('write', path, () => {
      const call = prepareWrite(context, path, content, (_, bytes) => `wrote ${bytes} bytes to ${path}`);
      return { ...call, plan: () => inGo('write', path, call.plan, 'open') };
    }),
});

type Describe = (outcome: { readonly created: boolean; readonly path: string }, bytes: number) => string;

const createdOrUpdated: Describe = ({ created, path }, bytes) =>
  `${created ? 'created' : 'updated'} ${path} (${bytes} bytes)`;

function prepareWrite(context: ToolContext, text: string, content: string, describe: Describe): Call {
  if (text.endsWith('/')) {
    throw new ToolError('invalid', `${text} names a folder, by its last /. Name the file to write: ${text}NAME.`);
  }
  const path = context.workspace.resolve(text);
  return {
    subject: path.given,
    effects: [{ kind: 'write', path }],
    plan: () => planWrite(context, path, content, describe),
  };
}

async function planWrite(
  context: ToolContext,
  path: FilePath,
  content: string,
  describe: Describe,
): Promise<ChangePlan> {
  const before = stateNow(context.workspace, path);
  const { bytes, notes } = rewriteText(before?.bytes, content);
  const done = [describe({ created: before === undefined, path: path.given }, bytes.length), ...notes].join('\n');
  return { type: 'change', whole: true, done, changes: changesOf(path, before, bytes) };
}

function changesOf(path: FilePath, before: FileState | undefined, bytes: Buffer): ChangeSet {
  if (before === undefined) return [{ type: 'create', path, after: fileState(bytes) }];
  if (before.bytes.equals(bytes)) return [];
  return [{ type: 'modify', path, before, after: fileState(bytes, before.mode) }];
}
