import { ToolError } from '../base/error.ts';
import { type FilePath, resolvePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A pathspec for exactly this name, whatever characters it holds. gitglossary(7), "pathspec". */
export function literal(name: string): string {
  return `:(literal)${name}`;
}

export function allBut(names: readonly string[]): readonly string[] {
  return names.map((name) => `:(exclude,literal)${name}`);
}

/** The path of a name that git printed relative to the workspace; undefined when it leads outside by now. */
export function pathOf(workspace: Workspace, name: string): FilePath | undefined {
  try {
    return resolvePath(workspace.root, name, 'relative');
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Whether a file's content may be shown, now or as it was in a commit. */
export function mayShow(workspace: Workspace, name: string): boolean {
  const path = pathOf(workspace, name);
  return path !== undefined && workspace.searchable(path);
}

const mostNamed = 10;

/** The note that replaces sections that may not be shown; no lines when there are none. */
export function leftOutNote(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const named = [...new Set(names)].map(showName);
  const more = named.length - mostNamed;
  const list = named.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [`note: left out (reading is denied, or it leads out of the workspace): ${list}`];
}

const special = /["\\\x00-\x1f\x7f]/;

/** A name as it stands, or quoted as git does when it holds a quote, a backslash or a control character. */
export function quoteName(name: string): string {
  if (!special.test(name)) return name;
  const escapes: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
  const escaped = [...name].map((char) => {
    if (!special.test(char)) return char;
    return escapes[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped.join('')}"`;
}

/** For lists, where a name stands on a line of its own and needs quotes only if it would break the line. */
export function showName(name: string): string {
  return /[\x00-\x1f\x7f]/.test(name) ? quoteName(name) : name;
}
