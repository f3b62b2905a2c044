import { ToolError } from '../../base/error.ts';
import { parseGitSection } from './git-section.ts';
import { makesLink, type PatchFile } from './model.ts';
import { type PlainSection, parsePlainSection, readPlainSection } from './plain-section.ts';
import { spellingOf } from './prefix.ts';
import { refuseStray } from './stray.ts';
import { isFileHeader } from './text.ts';

const maxFiles = 50;

/**
 * Parses a unified diff: plain (`---`, `+++`) and git (`diff --git`) sections in any mix, each judged by itself. Text that
 * belongs to no section (prose, code fences, mail headers) is skipped where it can't be a lost change. Linear time.
 *
 * @throws ToolError `invalid`, naming the line of the patch
 */
export function parsePatch(text: string): readonly PatchFile[] {
  const lines = splitLines(text);
  const sections = parseSections(lines);
  if (sections.length === 0) throw nothing();
  if (sections.length > maxFiles) {
    throw new ToolError(
      'invalid',
      `The patch touches ${sections.length} files; at most ${maxFiles} are allowed. Send it in parts.`,
    );
  }
  const plain = sections.filter((section): section is PlainSection => 'pair' in section);
  const spelling = spellingOf(plain.map(({ pair }) => pair));
  return joinTypes(sections.map((section) => ('pair' in section ? readPlainSection(section, spelling) : section)));
}

/** A file that goes, and a symbolic link that comes under its name (or the other way round), are one change. */
function joinTypes(files: readonly PatchFile[]): readonly PatchFile[] {
  return files.flatMap((file, at) => {
    const [before, after] = [files[at - 1], files[at + 1]];
    if (after !== undefined && changesType(file, after)) return { ...file, kind: 'modify' as const, becomes: after };
    return before !== undefined && changesType(before, file) ? [] : file;
  });
}

function changesType(gone: PatchFile, made: PatchFile): boolean {
  return (
    gone.kind === 'delete' && made.kind === 'create' && gone.name === made.name && makesLink(gone) !== makesLink(made)
  );
}

function splitLines(text: string): readonly string[] {
  if (text.trim() === '') throw nothing();
  if (/[\ud800-\udfff]/u.test(text)) {
    throw new ToolError('invalid', 'The patch holds half of a surrogate pair, which no file can hold. Send it again.');
  }
  const lines = (text.startsWith('\ufeff') ? text.slice(1) : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function parseSections(lines: readonly string[]): readonly (PatchFile | PlainSection)[] {
  const sections: (PatchFile | PlainSection)[] = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.startsWith('diff --git ')) {
      const { file, next } = parseGitSection(lines, at);
      sections.push(file);
      at = next;
    } else if (isFileHeader(lines, at)) {
      const { section, next } = parsePlainSection(lines, at);
      sections.push(section);
      at = next;
    } else {
      refuseStray(lines, at, sections.length > 0);
      at += 1;
    }
  }
  return sections;
}

function nothing(): ToolError {
  return new ToolError(
    'invalid',
    'The patch holds no change. Send a unified diff: a "--- a/FILE" line, a "+++ b/FILE" line, then hunks "@@ -START,COUNT +START,COUNT @@" ' +
      'whose lines begin with " " (context), "-" (removed) or "+" (added).',
  );
}
