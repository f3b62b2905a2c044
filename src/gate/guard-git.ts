import type { Refusal } from './refusal.ts';
import { type OptionTable, readArguments } from './shell/options.ts';
import { plainText, type ShellWord } from './shell/word.ts';

/** Git commands that throw away work which no later git command brings back. */
export function refuseGit(args: readonly ShellWord[]): Refusal | undefined {
  const globals = readArguments(args, globalOptions);
  const [first, ...rest] = globals.operands;
  const subcommand = plainText(first) ?? '';
  const check = Object.hasOwn(checks, subcommand) ? checks[subcommand]! : undefined;
  if (check === undefined) return undefined;
  const read = readArguments(rest, forcing);
  const given: Given = {
    has: (...names) => read.options.some(({ name }) => names.includes(name)),
    operands: read.operands.map((word) => plainText(word) ?? ''),
  };
  const found = check(given);
  if (found === undefined) return undefined;
  return { decision: 'deny', by: `guard: git ${subcommand}${found.how}`, reason: found.reason };
}

const globalOptions: OptionTable = { stops: true, values: '-C -c --git-dir --work-tree --exec-path --config-env' };

interface Given {
  has(...names: string[]): boolean;
  readonly operands: readonly string[];
}

interface Found {
  /** The option or word that does it, with a blank before. */
  readonly how: string;
  readonly reason: string;
}

/** Named so that abbreviations (`--har`) are found as well. */
const forcing: OptionTable = {
  runs: '--hard --force --force-with-lease --force-if-includes --mirror --delete --prune --discard-changes --all --dry-run --staged --worktree --reset --expire --expire-unreachable',
  values: '-o -m -b -B --message --repo --source -s -e',
};

const lost = (how: string): Found => ({
  how,
  reason: 'it throws away work that is not committed. Commit or stash first, or undo single files',
});
const rewritten = (how: string): Found => ({
  how,
  reason: 'it overwrites what others may have fetched. Push a new commit or a new branch instead',
});
const gone = (how: string): Found => ({
  how,
  reason: 'what it drops can’t be found again. Leave it, or ask the user to do it',
});

const checks: Readonly<Record<string, (given: Given) => Found | undefined>> = {
  reset: ({ has }) => (has('--hard') ? lost(' --hard') : undefined),
  clean: ({ has }) => (has('-n', '--dry-run') ? undefined : has('-f', '--force') ? lost(' -f') : undefined),
  push: ({ has, operands }) => {
    if (has('-f', '--force', '--force-with-lease', '--force-if-includes', '--mirror')) return rewritten(' --force');
    if (has('-d', '--delete', '--prune') || operands.some((word) => word.startsWith(':'))) return gone(' --delete');
    return operands.some((word) => word.startsWith('+')) ? rewritten(' +ref') : undefined;
  },
  checkout: ({ has, operands }) =>
    has('-f', '--force') || operands.some(isEverything) ? lost(' over changes') : undefined,
  switch: ({ has }) => (has('-f', '--force', '--discard-changes') ? lost(' --discard-changes') : undefined),
  restore: ({ has, operands }) =>
    operands.some(isEverything) && (!has('-S', '--staged') || has('-W', '--worktree'))
      ? lost(' over changes')
      : undefined,
  stash: ({ operands }) => (['clear', 'drop'].includes(operands[0] ?? '') ? gone(` ${operands[0]}`) : undefined),
  reflog: ({ operands }) => (['expire', 'delete'].includes(operands[0] ?? '') ? gone(` ${operands[0]}`) : undefined),
  gc: ({ has }) => (has('--prune') ? gone(' --prune') : undefined),
  branch: ({ has }) => (has('-D') || (has('-d', '--delete') && has('-f', '--force')) ? gone(' -D') : undefined),
  'update-ref': ({ has }) => (has('-d') ? gone(' -d') : undefined),
  rm: ({ has, operands }) =>
    has('-f', '--force') && has('-r') && !has('--cached') && operands.length > 0 ? lost(' -rf') : undefined,
  prune: ({ has }) => (has('-n', '--dry-run') ? undefined : gone('')),
  'checkout-index': ({ has }) => (has('-f', '--force') ? lost(' --force') : undefined),
  'read-tree': ({ has }) => (has('--reset') && has('-u') ? lost(' --reset -u') : undefined),
  'filter-branch': () => gone(''),
  'filter-repo': () => gone(''),
  worktree: ({ has, operands }) =>
    operands[0] === 'remove' && has('-f', '--force') ? lost(' remove --force') : undefined,
};

function isEverything(word: string): boolean {
  return /^(?:\.\/?|:\/|:\(top\).*|\*)$/.test(word);
}
