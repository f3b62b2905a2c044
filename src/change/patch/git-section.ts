import { ToolError } from '../../base/error.ts';
import { type GitHeader, parseGitHeader } from './git-header.ts';
import { parseHunks } from './hunks.ts';
import { gitType, type Hunk, type PatchFile, typeOfMode } from './model.ts';
import { type HeaderName, parseHeaderName } from './name.ts';
import { behindFirst, differ, type Reading, readGitNames } from './prefix.ts';
import { isFileHeader, quote, withoutCr } from './text.ts';

/** Reads the `diff --git` section that starts at `lines[at]`. */
export function parseGitSection(lines: readonly string[], at: number): { file: PatchFile; next: number } {
  const { header, next } = parseGitHeader(lines, at);
  const line = at + 1;
  if (header.copies) throw refused(line, 'copies a file; copies are not supported. Create the new file with its text');
  if (isBinary(lines[next])) throw refused(line, 'is a binary patch; only text can be patched');
  if (next >= lines.length || !isFileHeader(lines, next)) {
    return { file: describe(header, undefined, [], line), next };
  }
  const pair = [readName(lines, next), readName(lines, next + 1)] as const;
  // A section without hunks, and a plain one behind it.
  if (isWhole(header) && isForeign(header, pair)) return { file: describe(header, undefined, [], line), next };
  const body = parseHunks(lines, next + 2, lines[at]!.endsWith('\r'));
  return { file: describe(header, pair, body.hunks, line), next: body.next };
}

/** True for the line that stands for the content of a file that is not text. */
export function isBinary(line = ''): boolean {
  return line.startsWith('GIT binary patch') || /^Binary files .+ differ\r?$/.test(line.slice(0, 9000));
}

type Pair = readonly [HeaderName, HeaderName];

function readName(lines: readonly string[], at: number): HeaderName {
  return parseHeaderName(withoutCr(lines[at]!).slice('--- '.length), at + 1);
}

/** Does the header alone say what is to be done? */
function isWhole({ renameFrom, renameTo, newMode, created, deleted }: GitHeader): boolean {
  const renames = renameFrom !== undefined && renameTo !== undefined;
  return renames || newMode !== undefined || created !== undefined || deleted !== undefined;
}

/** Are the names of the `---` and `+++` lines no names of the header's, with a prefix or without? */
function isForeign({ names, renameFrom, renameTo }: GitHeader, pair: Pair): boolean {
  const known = [...(names ?? []), renameFrom, renameTo].filter((name) => name !== undefined);
  const spellings = new Set(known.flatMap((name) => [name, behindFirst(name)]));
  const written = pair.map(({ name }) => name).filter((name) => name !== undefined);
  return written.length > 0 && !written.some((name) => spellings.has(name) || spellings.has(behindFirst(name)));
}

function describe(header: GitHeader, pair: Pair | undefined, hunks: readonly Hunk[], line: number): PatchFile {
  refuseSpecial(header, line);
  if (pair && hunks.length === 0) throw refused(line, 'has a file header but no hunk ("@@" line and body)');
  const common = { hunks, line, ...(isLink(header) ? { link: true as const } : {}) };
  if (header.renameFrom !== undefined || header.renameTo !== undefined) {
    return { kind: 'rename', ...renameNames(header, pair, line), ...modeOf(header.newMode), ...common };
  }
  const kind = kindOf(header, pair, line);
  const reading = nameOf(kind, header, pair, line);
  if (kind === 'modify' && hunks.length === 0 && header.newMode === undefined) {
    throw refused(line, 'changes nothing: it has no hunk, mode or rename lines');
  }
  return { kind, ...reading, ...modeOf(kind === 'create' ? header.created : header.newMode), ...common };
}

function modeOf(mode: number | undefined): { mode?: number } {
  return mode === undefined ? {} : { mode };
}

function kindOf(header: GitHeader, pair: Pair | undefined, line: number): 'create' | 'delete' | 'modify' {
  const [from, to] = pair ?? [];
  const creates = header.created !== undefined || (pair && from?.name === undefined);
  const deletes = header.deleted !== undefined || (pair && to?.name === undefined);
  if (creates && deletes) throw refused(line, 'both creates and deletes a file');
  if (creates && pair && from?.name !== undefined)
    throw refused(line, 'creates a file: its "---" line must be /dev/null');
  if (deletes && pair && to?.name !== undefined)
    throw refused(line, 'deletes a file: its "+++" line must be /dev/null');
  return creates ? 'create' : deletes ? 'delete' : 'modify';
}

function nameOf(
  kind: 'create' | 'delete' | 'modify',
  { names }: GitHeader,
  pair: Pair | undefined,
  line: number,
): Reading {
  if (kind === 'modify' && pair) return namesOf(pair[0].name!, pair[1].name!, line);
  const single = pair && (kind === 'create' ? pair[1].name : pair[0].name);
  if (single !== undefined) {
    const known = names?.includes(single) ? readGitNames(...names) : undefined;
    return known ?? { name: stripOne(single) };
  }
  if (names === undefined) throw refused(line, 'does not say which file it is about');
  return namesOf(...names, line);
}

function namesOf(from: string, to: string, line: number): Reading {
  return readGitNames(from, to) ?? differ(from, to, line);
}

function stripOne(name: string): string {
  return name[1] === '/' && name[0] !== '/' ? name.slice(2) : name;
}

function renameNames(header: GitHeader, pair: Pair | undefined, line: number): { name: string; to: string } {
  const { renameFrom: name, renameTo: to } = header;
  if (name === undefined || to === undefined) throw refused(line, 'needs both "rename from" and "rename to"');
  const agrees = !pair || (fits(pair[0], name) && fits(pair[1], to));
  if (!agrees)
    throw refused(
      line,
      `renames ${quote(name, 200)} to ${quote(to, 200)}, but its "---" and "+++" lines name other files`,
    );
  return { name, to };
}

function fits({ name }: HeaderName, expected: string): boolean {
  return name === expected || (name !== undefined && behindFirst(name) === expected);
}

/** Is what the section finds a symbolic link? */
function isLink({ oldMode, deleted, keptMode }: GitHeader): boolean {
  const mode = oldMode ?? deleted ?? keptMode;
  return mode !== undefined && typeOfMode(mode) === gitType.symlink;
}

function refuseSpecial(header: GitHeader, line: number): void {
  const modes = [header.oldMode, header.newMode, header.created, header.deleted, header.keptMode];
  const types = modes.filter((mode) => mode !== undefined).map(typeOfMode);
  if (types.includes(gitType.submodule)) throw refused(line, 'changes a submodule, which a patch of files can not do');
  if (header.newMode !== undefined && isLink(header) !== (typeOfMode(header.newMode) === gitType.symlink)) {
    throw refused(
      line,
      'makes a file a symbolic link, or a link a file. Write two sections: one deletes it, the next creates it',
    );
  }
  const odd = types.find((type) => type !== gitType.file && type !== gitType.symlink);
  if (odd !== undefined) throw refused(line, 'gives a file a mode that git does not have. Use 100644 or 100755');
}

function refused(line: number, what: string): ToolError {
  return new ToolError('invalid', `The section on line ${line} of the patch ${what}.`);
}
