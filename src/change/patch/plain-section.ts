import { ToolError } from '../../base/error.ts';
import { parseHunks } from './hunks.ts';
import type { Hunk, PatchFile } from './model.ts';
import { type HeaderName, parseHeaderName } from './name.ts';
import { readPlainNames, type Spelling } from './prefix.ts';
import { withoutCr } from './text.ts';

/** A `---`/`+++` section whose names are still as written: what their prefixes mean shows only in the whole patch. */
export interface PlainSection {
  readonly kind: 'modify' | 'create' | 'delete';
  /** Undefined for `/dev/null`. */
  readonly pair: readonly [string | undefined, string | undefined];
  readonly hunks: readonly Hunk[];
  readonly line: number;
}

/** Reads the section whose `---` line is `lines[at]`. */
export function parsePlainSection(lines: readonly string[], at: number): { section: PlainSection; next: number } {
  const from = parseHeaderName(withoutCr(lines[at]!).slice(4), at + 1);
  const to = parseHeaderName(withoutCr(lines[at + 1]!).slice(4), at + 2);
  const { hunks, next } = parseHunks(lines, at + 2, lines[at]!.endsWith('\r'));
  const line = at + 1;
  if (hunks.length === 0) throw noHunk(line);
  return { section: { kind: kindOf(from, to, hunks[0]!, line), pair: [from.name, to.name], hunks, line }, next };
}

export function readPlainSection({ kind, pair, hunks, line }: PlainSection, spelling: Spelling): PatchFile {
  return { kind, ...readPlainNames(pair[0], pair[1], spelling, line), hunks, line };
}

/** `/dev/null` says that a side is absent; so does, in `diff -N`, the epoch beside an empty range. */
function kindOf(from: HeaderName, to: HeaderName, hunk: Hunk, line: number): PlainSection['kind'] {
  const created = from.name === undefined || (from.absent && /^@@ -0,0 /.test(hunk.header));
  const deleted = to.name === undefined || (to.absent && /^@@ -\S+ \+0,0 /.test(hunk.header));
  if (created && deleted) {
    throw new ToolError('invalid', `The section on line ${line} of the patch names no file: both sides are /dev/null.`);
  }
  return created ? 'create' : deleted ? 'delete' : 'modify';
}

function noHunk(line: number): ToolError {
  return new ToolError(
    'invalid',
    `The section on line ${line} of the patch has no hunk: a line "@@ -START,COUNT +START,COUNT @@" must follow its "+++" line. ` +
      'An empty file is created by a "diff --git" section with "new file mode 100644".',
  );
}
