import type { AutocompleteItem, AutocompleteProvider } from '@earendil-works/pi-tui';
import { visibleName } from '../../base/visible.ts';
import { unveil } from './veil.ts';

/** What can be completed. */
export interface Completable {
  /** The commands after `/`. */
  readonly commands: readonly { readonly name: string; readonly argument?: string; readonly description: string }[];
  /** The paths of the workspace, relative, with `/`; none with a line end in it. The same list as long as nothing is new. */
  paths(): Promise<readonly string[]>;
}

const most = 50;

/** Completes `/command` at the beginning, `@path` anywhere, and after tab any path. */
export function completions({ commands, paths }: Completable): AutocompleteProvider {
  return {
    async getSuggestions(lines, line, column, { signal, force }) {
      const before = (lines[line] ?? '').slice(0, column);
      const command = line === 0 ? /^\/([a-z0-9_:-]*)$/i.exec(before) : null;
      if (command !== null) return found(before, commandItems(commands, command[1]!));
      const path =
        /(?:^|[\s(])(@(?:"[^"]*|[^\s"]*))$/.exec(before)?.[1] ??
        (force === true ? /(\S*)$/.exec(before)![1]! : undefined);
      if (path === undefined) return null;
      const mark = path.startsWith('@') ? '@' : '';
      const all = await paths();
      if (signal.aborted) return null;
      const query = unveil(path).slice(mark.length).replace(/^"/, '');
      const matches = rankPaths(all, query, most);
      // It is typed out: enter has to send it.
      if (matches.length === 1 && matches[0] === query) return null;
      return found(
        path,
        matches.map((match) => ({ value: mark === '' ? match : mention(match), label: visibleName(match) })),
      );
    },
    applyCompletion(lines, cursorLine, column, item, prefix) {
      const line = lines[cursorLine] ?? '';
      const start = line.slice(0, column - prefix.length) + item.value;
      const end = line.slice(column);
      const gap = item.value.endsWith('/') || end.startsWith(' ') ? '' : ' ';
      const changed = lines.map((text, at) => (at === cursorLine ? start + gap + end : text));
      return { lines: changed, cursorLine, cursorCol: start.length + gap.length };
    },
  };
}

/** A name with blanks in it stands in quotes. */
function mention(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}

function found(prefix: string, items: AutocompleteItem[]): { items: AutocompleteItem[]; prefix: string } | null {
  return items.length === 0 ? null : { items, prefix };
}

function commandItems(commands: Completable['commands'], query: string): AutocompleteItem[] {
  const word = query.toLowerCase();
  const begin = commands.filter(({ name }) => name.startsWith(word));
  const within = commands.filter(({ name }) => !name.startsWith(word) && name.includes(word));
  return [...begin, ...within].map(({ name, argument, description }) => ({
    value: `/${name}`,
    label: argument === undefined ? `/${name}` : `/${name} ${argument}`,
    description,
  }));
}

/**
 * The paths that hold `query`, the likeliest first: the path begins with it, then the file's name, then a folder's name,
 * then anything else that holds it; shorter ones first. Small letters stand for both.
 */
export function rankPaths(paths: readonly string[], query: string, most = paths.length): string[] {
  const wanted = query.toLowerCase();
  const groups = [0, 1, 2, 3].map(() => new Map<number, string[]>());
  for (const [at, small] of smallLetters(paths).entries()) {
    const rank = rankOf(small, wanted);
    if (rank === undefined) continue;
    const group = groups[rank]!;
    const alike = group.get(small.length);
    if (alike === undefined) group.set(small.length, [paths[at]!]);
    else alike.push(paths[at]!);
  }
  return firstOf(groups, most);
}

/** Sorts no more than it has to: every key asks for the first few of maybe a hundred thousand. */
function firstOf(groups: readonly Map<number, string[]>[], most: number): string[] {
  const first: string[] = [];
  for (const group of groups) {
    for (const [, alike] of [...group].sort(([one], [other]) => one - other)) {
      if (first.length >= most) return first;
      for (const path of alike.sort().slice(0, most - first.length)) first.push(path);
    }
  }
  return first;
}

const small = new WeakMap<readonly string[], readonly string[]>();

function smallLetters(paths: readonly string[]): readonly string[] {
  const known = small.get(paths) ?? paths.map((path) => path.toLowerCase());
  small.set(paths, known);
  return known;
}

function rankOf(path: string, query: string): number | undefined {
  if (path.startsWith(query)) return 0;
  if (path.slice(path.lastIndexOf('/') + 1).startsWith(query)) return 1;
  if (path.includes(`/${query}`)) return 2;
  return path.includes(query) ? 3 : undefined;
}
