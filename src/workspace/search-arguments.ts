import type { SearchQuery } from './search.ts';

/**
 * The engine's command line. It only finds candidates, so its own ignore rules are off; folders are left out here to
 * save time, and what must not be seen is dropped from the hits afterwards. Every argument begins with `-` or `./`, so
 * that no pattern or path is ever read as an option.
 */
export function engineArguments(query: SearchQuery, leave: readonly string[] = []): string[] {
  return [
    ...fixed,
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(query.literal ? ['--fixed-strings'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(query.maxFileBytes === undefined ? [] : [`--max-filesize=${query.maxFileBytes}`]),
    ...(query.ask === 'count' ? ['--count'] : [`--max-count=${query.perFile}`]),
    // A glob that takes files in would switch the type filter off.
    ...(query.type === undefined ? endingGlobs(query.endings ?? ['']) : [`--type=${query.type}`]),
    ...query.skipFolders.map((name) => `--glob=!${literalGlob(name)}/`),
    // A worktree's or submodule's .git is a file.
    '--glob=!.git',
    ...leave.slice(0, mostLeft).map((folder) => `--glob=!/${literalGlob(folder)}/`),
    `--regexp=${query.pattern}`,
    '--',
    ...query.bases.map((base) => (base.rel === '.' ? './' : `./${base.rel}`)),
  ];
}

const fixed = [
  '--no-config',
  '--color=never',
  '--no-heading',
  '--with-filename',
  '--null',
  '--line-number',
  '--column',
  '--byte-offset',
  // Lines are read again, so the engine need not print them, however long.
  '--max-columns=1',
  '--crlf',
  '--hidden',
  '--no-ignore',
  '--no-mmap',
];

/** As many as fit on any command line. */
const mostLeft = 1000;

/** Many endings cost more than they save. */
const mostEndings = 50;

function endingGlobs(endings: readonly string[]): string[] {
  if (endings.length > mostEndings || endings.includes('')) return [];
  return endings.map((ending) => `--glob=*${literalGlob(ending)}`);
}

function literalGlob(text: string): string {
  return text.replace(/[*?[\]{}\\!]/g, '[$&]');
}
