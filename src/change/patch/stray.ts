import { ToolError } from '../../base/error.ts';
import { isGitField } from './git-header.ts';
import { isBinary } from './git-section.ts';
import { isBlank, isSignature, quote, withoutCr } from './text.ts';

/**
 * Judges a line outside all sections. Prose, code fences, mail headers, `Index:` and `diff -ru` lines are harmless; what
 * may be a change that would get lost is refused.
 *
 * @param inside true when a section came before: then even a lone `+` line may be a lost change
 */
export function refuseStray(lines: readonly string[], at: number, inside: boolean): void {
  const line = withoutCr(lines[at]!);
  const what = strayKind(line, lines, at) ?? (inside ? lostChange(line, lines, at) : undefined);
  if (what !== undefined) throw new ToolError('invalid', `Line ${at + 1} of the patch ${what}.`);
}

const otherFormats = ['*** Begin Patch', '*** Update File:', '*** Add File:', '*** Delete File:', '***************'];

function strayKind(line: string, lines: readonly string[], at: number): string | undefined {
  if (line.startsWith('@@')) {
    return 'is a hunk header outside of a file\'s section. Put "--- a/FILE" and "+++ b/FILE" lines before it, and no other text between';
  }
  if (line.startsWith('--- ') || line.startsWith('+++ ')) {
    return `is half of a file header: ${quote(line)}. A "--- a/FILE" line and a "+++ b/FILE" line belong together, in this order`;
  }
  if (isGitField(line)) return `stands outside of a "diff --git" section: ${quote(line)}`;
  if (isBinary(line)) return 'stands for a binary file; only text can be patched';
  if (line.startsWith('Only in ')) return 'says that a file exists on one side only; make the diff with -N';
  if (otherFormats.some((start) => line.startsWith(start)))
    return 'belongs to another patch format. Send a unified diff';
  return line.startsWith('diff ') ? commandLine(line, lines, at) : undefined;
}

function commandLine(line: string, lines: readonly string[], at: number): string | undefined {
  if (line.startsWith('diff --cc ') || line.startsWith('diff --combined ')) {
    return 'starts a combined diff (of a merge), which can not be applied';
  }
  const next = lines[at + 1];
  const alone = line.startsWith('diff -') && (next === undefined || isBlank(next) || next.startsWith('diff '));
  return alone
    ? 'has no section behind it; an empty file needs a "diff --git" section with "new file mode"'
    : undefined;
}

function lostChange(line: string, lines: readonly string[], at: number): string | undefined {
  const sign = line[0];
  if ((sign !== '+' && sign !== '-') || line === '---' || isSignature(lines, at)) return undefined;
  return `looks like a change but stands outside of every hunk: ${quote(line)}. Check the counts of the "@@" line before it, or leave it out`;
}
