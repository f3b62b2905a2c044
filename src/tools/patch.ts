import * as z from 'zod';
import { applyPatch } from '../change/patch/apply.ts';
import { parsePatch } from '../change/patch/parse.ts';
import { type PatchTarget, resolvePatch } from '../change/patch/resolve.ts';
import { defineTool, type Effect, type Tool, type ToolSet } from '../tool/tool.ts';

/** How a dialect spells the tool that applies a unified diff. */
export interface PatchSpelling {
  readonly name: string;
  readonly set?: ToolSet;
}

/** Applies a unified diff over any number of files, all or nothing: `udiff`'s `edit_file`, `native`'s `apply_patch`. */
export function patchTool({ name, set }: PatchSpelling): Tool {
  return defineTool({
    name,
    description:
      'Apply a unified diff (plain or git format) to one or more files, all or nothing: modify, create (--- /dev/null), delete ' +
      '(+++ /dev/null) or rename. Context must match the files exactly. If it does not apply, nothing is written: do not ' +
      'rewrite the whole file; read it again and send a new, minimal patch with fresh context.',
    ...(set === undefined ? {} : { set }),
    input: z.strictObject({ patch: z.string().describe('Unified diff; the patch itself names every file.') }),
    prepare: ({ patch }, { workspace }) => {
      const targets = resolvePatch(parsePatch(patch), workspace);
      return {
        effects: targets.flatMap(effectsOf),
        subject: subjectOf(targets),
        plan: async () => ({
          type: 'change',
          changes: await applyPatch(targets, workspace),
          done: targets.map(describe).join('\n'),
        }),
      };
    },
  });
}

/** A file is read in order to change, delete or rename it; a rename deletes one name and writes the other. */
function effectsOf({ file, path, to }: PatchTarget): readonly Effect[] {
  const read: Effect = { kind: 'read', path };
  switch (file.kind) {
    case 'create':
      return [{ kind: 'write', path }];
    case 'modify':
      return [read, { kind: 'write', path }];
    case 'delete':
      return [read, { kind: 'delete', path }];
    case 'rename':
      return [read, { kind: 'delete', path }, { kind: 'write', path: to! }];
  }
}

function subjectOf(targets: readonly PatchTarget[]): string {
  return targets.map(({ path, to }) => (to ? `${path.given} -> ${to.given}` : path.given)).join(', ');
}

function describe({ file, path, to }: PatchTarget): string {
  switch (file.kind) {
    case 'create':
      return `created ${path.given}`;
    case 'modify':
      return `modified ${path.given}`;
    case 'delete':
      return `deleted ${path.given}`;
    case 'rename':
      return `renamed ${path.given} -> ${to!.given}`;
  }
}
