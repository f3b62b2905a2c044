import type { AutocompleteItem, AutocompleteProvider } from '@earendil-works/pi-tui';
import { visibleName } from '../../base/visible.ts';
import { unveil } from './veil.ts';

/** What can be completed. */
export interface Completable {
  /** The commands after `/`. */
  readonly commands: readonly { readonly name: string; readonly argument?: string; readonly description: string }[];
  /** The paths of the workspace, relative, with `/`. */
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
      const matches = rankPaths(all.filter(isOneLine), query).slice(0, most);
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

/** The input would take the rest of such a name for a line of its own. */
function isOneLine(path: string): boolean {
  return !path.includes('\n') && !path.includes('\r');
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
export function rankPaths(paths: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  const ranked = paths.flatMap((path) => {
    const rank = rankOf(path.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ path, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

function rankOf(path: string, query: string): number | undefined {
  if (path.startsWith(query)) return 0;
  if (path.slice(path.lastIndexOf('/') + 1).startsWith(query)) return 1;
  if (path.includes(`/${query}`)) return 2;
  return path.includes(query) ? 3 : undefined;
}
