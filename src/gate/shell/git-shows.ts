import { type ReadArguments, readArguments } from './options.ts';
import { plainText, type ShellWord } from './word.ts';

/**
 * The contents of files that a git command prints without naming them: of those that are tracked `now`, or of any that
 * `ever` were.
 */
export interface GitShows {
  readonly which: 'now' | 'ever';
  /** Words that may name commits or paths. */
  readonly operands: readonly ShellWord[];
  /** Words that are paths for certain. */
  readonly paths: readonly ShellWord[];
}

/** Undefined when nothing is printed but what the command names. */
export function shownUnnamed(subcommand: string | undefined, args: readonly ShellWord[]): GitShows | undefined {
  const judge = subcommand !== undefined && Object.hasOwn(printing, subcommand) ? printing[subcommand] : undefined;
  if (judge === undefined) return undefined;
  const dashes = args.findIndex((word) => plainText(word) === '--');
  const [before, paths] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes + 1)];
  const read = readArguments(before, valued);
  const which = judge(read, (pattern) => read.options.some(({ name }) => pattern.test(name)));
  return which === undefined ? undefined : { which, operands: read.operands, paths };
}

const valued = {
  values:
    '-n -S -G -L -U -O --author --since --until --grep --format --pretty --date --max-count --diff-filter -e -f -A -B -C -m --output',
};

type Judge = (read: ReadArguments, has: (pattern: RegExp) => boolean) => GitShows['which'] | undefined;

/** Options that print contents, and those that print something else instead. */
const patch =
  /^(?:-p|-u|-L|-U|-W|-c|--cc|--patch.*|--unified|--word-diff.*|--color-words.*|--function-context|--remerge-diff|--binary)$/;
const instead =
  /^(?:-s|--stat|--shortstat|--numstat|--name-only|--name-status|--summary|--quiet|--check|--no-patch|--dirstat|--raw|--compact-summary)$/;

const withPatch: Judge = (_, has) => (has(patch) ? 'ever' : undefined);
const unlessInstead: Judge = (_, has) => (has(patch) || !has(instead) ? 'ever' : undefined);
const always: Judge = () => 'ever';
const chosen: Judge = (_, has) => (has(/^(?:-p|-i|--patch|--interactive)$/) ? 'now' : undefined);
const verbose: Judge = (_, has) => (has(/^(?:-v|--verbose|-p|--patch)$/) ? 'now' : undefined);
const current: Judge = (_, has) => (has(/^--show-current-patch/) ? 'ever' : undefined);

const printing: Readonly<Record<string, Judge>> = {
  log: withPatch,
  reflog: withPatch,
  whatchanged: withPatch,
  'diff-tree': withPatch,
  'diff-index': withPatch,
  'diff-files': withPatch,
  'range-diff': always,
  'merge-tree': always,
  archive: always,
  'format-patch': unlessInstead,
  show: (read, has) => {
    const named = read.operands.length > 0 && read.operands.every((word) => /.:./.test(plainText(word) ?? ''));
    return named ? undefined : unlessInstead(read, has);
  },
  diff: (read, has) => {
    if (has(/^--no-index$/) || unlessInstead(read, has) === undefined) return undefined;
    return read.operands.length === 0 ? 'now' : 'ever';
  },
  stash: (read, has) => (plainText(read.operands[0]) === 'show' ? withPatch(read, has) : chosen(read, has)),
  grep: (read, has) => {
    if (has(/^(?:-l|-L|-c|-q|--count|--quiet|--files-with.*|--name-only)$/)) return undefined;
    const pattern = has(/^-[ef]$/) ? 0 : 1;
    return read.operands.length > pattern ? 'ever' : 'now';
  },
  'cat-file': (read, has) => {
    if (has(/^-[tse]$/)) return undefined;
    return has(/^--batch/) || read.operands.some((word) => !/:./.test(plainText(word) ?? '')) ? 'ever' : undefined;
  },
  status: verbose,
  commit: verbose,
  add: chosen,
  checkout: chosen,
  restore: chosen,
  reset: chosen,
  rebase: current,
  am: current,
};
