/**
 * A unified diff as data. Everything is as the patch says; nothing was looked at on disk.
 */
export interface PatchFile {
  readonly kind: 'modify' | 'create' | 'delete' | 'rename';
  /** The file's name below the workspace root, prefix (`a/`, `b/`) removed; for a rename, the old name. */
  readonly name: string;
  /** The name if the prefix was none: set where the text alone can't tell. Whichever of the two exists is meant. */
  readonly otherName?: string;
  /**
   * Both names as written, where they differ in a first folder other than `a` and `b` (`old/x new/x`). Prefixes, unless
   * one of these names exists: then the section is a rename that is not marked as one.
   */
  readonly asWritten?: readonly [string, string];
  /** True when what is changed, deleted or renamed is a symbolic link; its lines are its target. */
  readonly link?: true;
  /** What takes the place of a file that goes: git writes a change of type (file, symbolic link) as two sections. */
  readonly becomes?: PatchFile;
  /** The new name of a rename. */
  readonly to?: string;
  /** The mode the patch gives the file, as git writes it (`0o100644`, `0o100755`, `0o120000`), or undefined. */
  readonly mode?: number;
  readonly hunks: readonly Hunk[];
  /** Line of the patch, from 1, where the section starts. */
  readonly line: number;
}

export interface Hunk {
  /** The `@@` line. */
  readonly header: string;
  /** Line of the patch, from 1, of the `@@` line. */
  readonly line: number;
  /** The old line number that the header states; undefined for a bare `@@`, to be placed by its unique context. */
  readonly start?: number;
  readonly lines: readonly HunkLine[];
}

export interface HunkLine {
  readonly kind: 'context' | 'remove' | 'add';
  /** The text without its end. */
  readonly text: string;
  /** Empty for a line followed by `\ No newline at end of file`. */
  readonly eol: Eol;
  /** Line of the patch, from 1. */
  readonly line: number;
}

export type Eol = '' | '\n' | '\r\n';

/** The lines a hunk expects to find: context and removed ones. */
export function oldLines(hunk: Hunk): readonly HunkLine[] {
  return hunk.lines.filter((line) => line.kind !== 'add');
}

/** Git's types of a tree entry, the upper bits of a mode. */
export const gitType = { file: 0o100000, symlink: 0o120000, submodule: 0o160000 } as const;

export function typeOfMode(mode: number): number {
  return mode & 0o170000;
}

/** True when what the section leaves is a symbolic link. */
export function makesLink({ kind, mode, link }: PatchFile): boolean {
  return kind === 'create' ? mode !== undefined && typeOfMode(mode) === gitType.symlink : link === true;
}
