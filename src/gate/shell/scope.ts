import type { Folders } from './folder.ts';
import type { Scope, ShellWord } from './word.ts';

/** What is known of a place in a script. */
interface Place {
  readonly home: string;
  readonly folders: Folders;
  readonly values: Map<string, ShellWord[]>;
  readonly loops: ReadonlyMap<string, readonly ShellWord[]>;
}

/** What words mean at a place. */
export function scopeOf({ home, folders, values, loops }: Place): Scope {
  const folder = folders?.length === 1 ? folders[0] : undefined;
  return folder === undefined ? { home, values, loops } : { home, folder, values, loops };
}

const mostValues = 8;

/** Notes what a variable is set to there. */
export function addValues({ values }: Pick<Place, 'values'>, name: string, words: readonly ShellWord[]): void {
  const known = values.get(name) ?? [];
  if (known.length < mostValues) values.set(name, [...known, ...words].slice(0, mostValues));
}
