import { withEitherLineEnd } from './line-ends.ts';
import type { FilePath } from './path.ts';
import type { SearchQuery } from './search.ts';

/**
 * The engine's command line. It only finds candidates, so its own ignore rules are off; folders are left out here to
 * save time, and what must not be seen is dropped from the hits afterwards. Every argument begins with `-` or `./`, so
 * that no pattern or path is ever read as an option.
 */
export function engineArguments(query: SearchQuery, { leave, encoding }: EngineOptions): string[] {
  return [
    ...fixed,
    ...rows,
    ...(query.tellSkipped !== false && !isFiltered(query) ? ['--debug'] : []),
    ...(encoding === undefined ? [] : [`--encoding=${encoding}`]),
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(query.literal ? ['--fixed-strings'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(query.maxFileBytes === undefined ? [] : [`--max-filesize=${query.maxFileBytes}`]),
    ...(query.ask === 'count' ? ['--count'] : [`--max-count=${query.perFile}`]),
    ...filters(query, leave),
    `--regexp=${query.multiline && !query.literal ? withEitherLineEnd(query.pattern) : query.pattern}`,
    '--',
    ...placesOf(distinctBases(query)),
  ];
}

/** The command line that lists the files of a search, with a NUL after each, however large they are. */
export function listArguments(query: SearchQuery, { leave }: Pick<EngineOptions, 'leave'>): string[] {
  return [...fixed, '--files', '--null', ...filters(query, leave), '--', ...placesOf(distinctBases(query))];
}

/** Whether some files are left out by their names. Then the engine would tell of each of them, and take its time for it. */
export function isFiltered(query: SearchQuery): boolean {
  return query.type !== undefined || endingGlobs(query.endings ?? ['']).length > 0;
}

function filters(query: SearchQuery, leave: readonly string[]): string[] {
  return [
    // A glob that takes files in would switch the type filter off.
    ...(query.type === undefined ? endingGlobs(query.endings ?? ['']) : [`--type=${query.type}`]),
    ...query.skipFolders.map((name) => `--glob=!${literalGlob(name)}/`),
    // A worktree's or submodule's .git is a file.
    '--glob=!.git',
    ...leave.slice(0, mostLeft).map((folder) => `--glob=!/${literalGlob(folder)}/`),
  ];
}

/** Where the engine is told to search. It prints the paths of files it is told so. */
export function placesOf(bases: readonly FilePath[]): string[] {
  return bases.map((base) => (placeIn(base) === '' ? './' : `./${placeIn(base)}`));
}

/** Relative to the folder that is searched: the workspace or a mount, whose name stands in front of the path. */
function placeIn({ rel, mount }: FilePath): string {
  if (rel === '.' || rel === mount) return '';
  return mount === undefined ? rel : rel.slice(mount.length + 1);
}

export interface EngineOptions {
  /** Folders to stay out of, relative to the root. */
  readonly leave: readonly string[];
  /** The files' encoding by its web name, where the engine can't see it. */
  readonly encoding: string | undefined;
}

/** Without those that another one covers: the engine would search their files again. */
function distinctBases({ bases, skipFolders }: SearchQuery): readonly FilePath[] {
  const left = new Set(['.git', ...skipFolders]);
  const covers = (outer: FilePath, inner: FilePath) => {
    const prefix = outer.rel === '.' ? '' : `${outer.rel}/`;
    if (outer.rel === inner.rel || !inner.rel.startsWith(prefix)) return false;
    return !inner.rel
      .slice(prefix.length)
      .split('/')
      .some((name) => left.has(name));
  };
  const once = [...new Map(bases.map((base) => [base.rel, base])).values()];
  return once.filter((base) => !once.some((other) => covers(other, base)));
}

const fixed = ['--no-config', '--color=never', '--hidden', '--no-ignore', '--no-mmap'];

const rows = [
  '--no-heading',
  '--with-filename',
  '--null',
  '--line-number',
  '--column',
  '--byte-offset',
  // Lines are read again, so the engine need not print them, however long.
  '--max-columns=1',
  '--crlf',
];

/** As many as fit on any command line. */
const mostLeft = 1000;

/** Many endings cost more than they save. */
const mostEndings = 50;

function endingGlobs(endings: readonly string[]): string[] {
  if (endings.length > mostEndings || endings.includes('')) return [];
  return endings.map((ending) => `--glob=*${literalGlob(ending)}`);
}

/** A `!` is special in brackets and at the very start alone, a blank at the very end. */
function literalGlob(text: string): string {
  return text.replace(/[*?[\]{}\\]|[\t ]$/g, '[$&]');
}
