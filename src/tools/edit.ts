import * as z from 'zod';
import { isBinary } from '../base/encoding.ts';
import { ToolError } from '../base/error.ts';
import { type Edit, type Miss, maxEditBytes, replaceText } from '../change/replace.ts';
import { missError, rousseauError, shiroWords } from '../change/replace-words.ts';
import { type Call, type ChangePlan, defineTool, type ToolContext } from '../tool/tool.ts';
import { fileState } from '../workspace/file-state.ts';
import type { FilePath } from '../workspace/path.ts';
import { inGo } from './go-error.ts';

/** `edit_file` of `shiro` and `native`: one literal replacement. */
export const shiroEditFile = defineTool({
  name: 'edit_file',
  set: 'core',
  description:
    'Replace exact text in a file. oldString must match byte for byte and occur exactly once, unless replaceAll is set.',
  input: z.strictObject({
    path: z.string(),
    oldString: z.string().describe('exact text to find, whitespace and indentation included'),
    newString: z.string().describe('replacement'),
    replaceAll: z.boolean().optional().describe('replace every occurrence'),
  }),
  prepare: ({ path, ...edit }, context) =>
    prepareEdits(context, path, [toEdit(edit)], {
      refuse: (miss, file) => missError(miss, shiroWords(file.given, false)),
      done: (file, counts) => `edited ${file.given} (${replacements(counts)})`,
    }),
});

/** `multi_edit` of `shiro` and `native`: each edit sees the result of the one before; all or none. */
export const shiroMultiEdit = defineTool({
  name: 'multi_edit',
  set: 'edit-plus',
  description:
    'Several edits to one file in one call. Each edit sees the result of the previous one. All are applied, or none if one fails. oldString must occur exactly once, unless replaceAll is set.',
  input: z.strictObject({
    path: z.string(),
    edits: z
      .array(
        z.strictObject({
          oldString: z.string().describe('exact text to find'),
          newString: z.string(),
          replaceAll: z.boolean().optional(),
        }),
      )
      .min(1)
      .describe('in the order to apply them'),
  }),
  prepare: ({ path, edits }, context) =>
    prepareEdits(context, path, edits.map(toEdit), {
      refuse: (miss, file) => missError(miss, shiroWords(file.given, true)),
      done: (file, counts) => `edited ${file.given} (${counts.length} edits, ${replacements(counts)})`,
    }),
});

/** `edit` of `rousseau`: one unique match, never several. */
export const rousseauEdit = defineTool({
  name: 'edit',
  description:
    'Replace an exact string in a file. old_string must occur exactly once; add surrounding context to make it unique.',
  input: z.strictObject({
    path: z.string().describe('Absolute filesystem path to the file to edit.'),
    old_string: z.string().describe('Exact text to find. Must be unique in the file.'),
    new_string: z.string().describe('Text to replace old_string with.'),
  }),
  prepare: (input, context) =>
    inGo('edit', input.path, () => {
      const call = prepareEdits(context, input.path, [{ oldText: input.old_string, newText: input.new_string }], {
        refuse: (miss) => rousseauError(miss, input.path),
        done: () => `edited ${input.path} (1 replacement)`,
      });
      return { ...call, plan: () => inGo('edit', input.path, call.plan) };
    }),
});

interface Wording {
  refuse(miss: Miss, file: FilePath): ToolError;
  done(file: FilePath, counts: readonly number[]): string;
}

function toEdit(edit: { oldString: string; newString: string; replaceAll?: boolean | undefined }): Edit {
  return { oldText: edit.oldString, newText: edit.newString, all: edit.replaceAll === true };
}

function prepareEdits(context: ToolContext, text: string, edits: readonly Edit[], words: Wording): Call {
  const path = context.workspace.resolve(text);
  return {
    subject: path.given,
    effects: [
      { kind: 'read', path },
      { kind: 'write', path },
    ],
    plan: () => planEdits(context, path, edits, words),
  };
}

async function planEdits(
  context: ToolContext,
  path: FilePath,
  edits: readonly Edit[],
  words: Wording,
): Promise<ChangePlan> {
  const before = await context.workspace.read(path, { maxBytes: maxEditBytes });
  const { bytes, mode } = before;
  if (isBinary(bytes)) {
    throw new ToolError('conflict', `${path.given} is a binary file, and only text is edited. Nothing was changed.`);
  }
  const result = replaceText(bytes, edits);
  if (!result.ok) throw words.refuse(result, path);
  const after = fileState(result.bytes, mode, bytes);
  const changes = after.digest === before.digest ? [] : [{ type: 'modify', path, before, after } as const];
  return { type: 'change', changes, done: words.done(path, result.counts) };
}

function replacements(counts: readonly number[]): string {
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum === 1 ? '1 replacement' : `${sum} replacements`;
}
