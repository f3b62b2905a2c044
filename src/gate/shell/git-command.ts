import { type GitShows, shownUnnamed } from './git-shows.ts';
import { globPieces } from './may-be.ts';
import { type OptionTable, optionNames, readArguments } from './options.ts';
import { plainText, plainWord, type ShellWord, startOf } from './word.ts';

/** A `git` command line, taken apart. */
export interface GitCommand {
  /** Undefined when it is no fixed text. */
  readonly subcommand: string | undefined;
  readonly args: readonly ShellWord[];
  /** The folder of `-C`. */
  readonly folder?: ShellWord;
  /** Why no *allow* row covers it. */
  readonly doubts: readonly string[];
  /** Files it reads: paths, and the paths behind the colon of `REV:PATH`. */
  readonly reads: readonly ShellWord[];
  readonly writes: readonly ShellWord[];
  /** Folders and files that it makes where it is told to. */
  readonly places: readonly ShellWord[];
  /** What it prints of files that it does not name. */
  readonly shows?: GitShows;
  /** True when it talks to another machine. */
  readonly network: boolean;
}

export function readGit(args: readonly ShellWord[]): GitCommand {
  const globals = readArguments(args, globalOptions);
  const [first, ...rest] = globals.operands;
  const subcommand = plainText(first);
  const doubts = globals.options
    .filter(({ name }) => steering.has(name))
    .map(({ name }) => `git ${name} changes what git runs or where`);
  if (globals.unsure || (first !== undefined && subcommand === undefined))
    doubts.push('the git command is no fixed text');
  const folder = globals.options.find(({ name }) => name === '-C')?.value;
  const table = tableOf(subcommand);
  const read = readArguments(rest, table);
  doubts.push(...doubtsOf(subcommand, read, table));
  const given = read.options.filter(({ name }) => optionNames(table.reads).includes(name)).map(({ value }) => value);
  const shows = shownUnnamed(subcommand, rest);
  const writes = read.options.filter(({ name }) => optionNames(table.writes).includes(name)).map(({ value }) => value);
  return {
    subcommand,
    args: rest,
    ...(folder === undefined ? {} : { folder }),
    doubts,
    reads: [...shownBy(subcommand ?? '', read.operands), ...given.filter((word) => word !== undefined)],
    places: placesOf(subcommand ?? '', read.operands),
    writes: writes.filter((word) => word !== undefined),
    ...(shows === undefined ? {} : { shows }),
    network: remote.has(subcommand ?? ''),
  };
}

/** What is moved away under another name can be read under that name. */
function shownBy(subcommand: string, operands: readonly ShellWord[]): readonly ShellWord[] {
  if (subcommand === 'mv') return operands.slice(0, -1);
  if (subcommand === 'add' || subcommand === 'stage') return operands.flatMap(likelyPaths);
  return showing.has(subcommand) ? operands.flatMap(pathsOf) : [];
}

/** A file that is added can be shown by git, and pushed. Git widens wildcards itself. */
function likelyPaths(word: ShellWord): readonly ShellWord[] {
  if (word.kind === 'open') return word.may ?? [];
  const text = plainText(word);
  if (text === undefined || !/[*?[]/.test(text)) return pathsOf(word);
  return [{ kind: 'glob', raw: text, pieces: globPieces(text) }];
}

function placesOf(subcommand: string, operands: readonly ShellWord[]): readonly ShellWord[] {
  if (subcommand === 'init') return operands;
  if (subcommand === 'mv') return operands.slice(-1);
  if (subcommand === 'clone') return operands.slice(1);
  const makes = `${subcommand} ${plainText(operands[0]) ?? ''}`;
  return makes === 'worktree add' || makes === 'bundle create' ? operands.slice(1, 2) : [];
}

/** The command without the options of git itself, so that a row for `git push` also finds `git -C . push`. */
export function withoutGlobals(args: readonly ShellWord[]): readonly ShellWord[] {
  return readArguments(args, globalOptions).operands;
}

function doubtsOf(
  subcommand: string | undefined,
  read: ReturnType<typeof readArguments>,
  table: OptionTable,
): string[] {
  if (subcommand === undefined) return [];
  const doubts: string[] = [];
  if (!known.has(subcommand)) doubts.push(`git ${subcommand} is an alias or a program of its own`);
  if (running.has(subcommand)) doubts.push(`git ${subcommand} runs programs`);
  if (read.unsure) doubts.push('an argument of git may turn out to be an option');
  const risky = new Set([...optionNames(table.runs), ...optionNames(table.writes)]);
  for (const { name } of read.options)
    if (risky.has(name)) doubts.push(`git ${subcommand} ${name} runs a program or writes a file`);
  for (const word of read.operands) {
    if (/^(?:ext|fd)::|^-/.test(startOf(word))) doubts.push(`git ${subcommand} ${startOf(word)} runs a program`);
  }
  const verb = plainText(read.operands[0]) ?? '';
  if (Object.hasOwn(nested, subcommand) && nested[subcommand]!.includes(verb))
    doubts.push(`git ${subcommand} ${verb} runs programs or changes what git runs`);
  if (subcommand === 'config' && setsConfig(read)) doubts.push('git config changes what git runs');
  return doubts;
}

/** `git config NAME` reads, `git config NAME VALUE` writes. */
function setsConfig(read: ReturnType<typeof readArguments>): boolean {
  const names = read.options.map(({ name }) => name);
  if (names.some((name) => /^--(?:get|list|show)/.test(name) || name === '-l')) return false;
  const verb = plainText(read.operands[0]);
  if (verb === 'get' || verb === 'list') return false;
  return (
    read.operands.length !== 1 ||
    names.some((name) => /^--(?:unset|add|replace|rename|remove|edit)/.test(name) || name === '-e')
  );
}

/** `HEAD:.env` names a file too, and `:(top).env` and `:/.env` are spellings of a path. */
function pathsOf(word: ShellWord): ShellWord[] {
  const text = plainText(word);
  if (text === undefined) return [word];
  // What a pathspec leaves out is not read.
  if (/^:(?:[!^]|\(exclude)/.test(text)) return [];
  const behind = text.replace(/^[^:]*:(?:\([^)]*\)|[!^/])?/, '');
  return behind === text || behind === '' ? [word] : [word, plainWord(behind)];
}

const globalOptions: OptionTable = {
  stops: true,
  values: '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source',
};

const steering = new Set([
  '-c',
  '--git-dir',
  '--work-tree',
  '--config-env',
  '--exec-path',
  '--namespace',
  '--super-prefix',
  '--bare',
  '--attr-source',
]);

/** Options that some command of git takes and that write files or run programs; an abbreviation is enough for git. */
const everywhere: OptionTable = {
  writes: '--output --output-directory',
  runs: '--ext-diff --textconv --upload-pack= --receive-pack= --exec= --upload-archive= --open-files-in-pager= --template= --config= --extcmd= --tool= --to-command= --remote=',
  values: '--author --date --format --pretty --since --until --after --before --grep --max-count --skip --message',
};

const tables: Readonly<Record<string, OptionTable>> = {
  log: {
    ...everywhere,
    values:
      '-n -S -G -L --author --committer --grep --since --until --after --before --max-count --skip --format --pretty --date',
  },
  diff: { ...everywhere, values: '-S -G -U -O --diff-filter --word-diff-regex' },
  show: { ...everywhere, values: '-S -G -U -O --format --pretty' },
  commit: {
    runs: '--template= --edit',
    reads: '-F --file -t',
    values: '-m -C -c --message --author --date --fixup --squash --reuse-message --reedit-message --cleanup --trailer',
  },
  config: { reads: '-f --file', values: '--type --default --blob --comment --value' },
  blame: { reads: '--contents --ignore-revs-file', values: '-L -S --date' },
  add: { reads: '--pathspec-from-file', values: '--chmod' },
  tag: { reads: '-F --file', values: '-m -u --message --local-user' },
  notes: { reads: '-F --file', values: '-m -C -c --message' },
  merge: { reads: '-F --file', values: '-m -s -X --message' },
  grep: { runs: '-O --open-files-in-pager', reads: '-f', values: '-e -A -B -C -m --max-depth --threads --max-count' },
  rebase: { runs: '-x= --exec= -i --interactive', values: '-s -X -C --onto --strategy --strategy-option' },
  clone: {
    runs: '-u= --upload-pack= -c= --config= --template=',
    values: '-b -o -j --branch --origin --depth --reference --jobs --separate-git-dir',
  },
  init: { runs: '--template= --separate-git-dir=', values: '-b --initial-branch' },
  difftool: { runs: '-x= --extcmd= -t= --tool=' },
  archive: { writes: '-o --output', reads: '--add-file', runs: '--exec= --remote=', values: '--format --prefix' },
  'format-patch': {
    writes: '-o --output-directory --output',
    runs: '--to-cmd= --cc-cmd=',
    values: '--start-number --subject-prefix',
  },
  bundle: {},
  fetch: { runs: '--upload-pack=', values: '--depth --refmap -j' },
  pull: { runs: '--upload-pack=', values: '--depth -s -X' },
  push: { runs: '--receive-pack= --exec=', values: '-o --push-option --repo' },
  'ls-remote': { runs: '--upload-pack= --exec=' },
  apply: { writes: '--directory', values: '-p -C --whitespace --exclude --include' },
};

const merged = new Map(Object.entries(tables).map(([name, table]) => [name, { ...everywhere, ...table }]));

function tableOf(subcommand: string | undefined): OptionTable {
  return merged.get(subcommand ?? '') ?? everywhere;
}

/** Commands that come with git and run nothing but git and its configured helpers. */
const known = new Set(
  (
    'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone ' +
    'column commit commit-tree config count-objects describe diff diff-files diff-index diff-tree difftool fetch filter-branch ' +
    'for-each-ref format-patch fsck gc grep hash-object help hook init interpret-trailers log ls-files ls-remote ls-tree merge merge-base ' +
    'merge-file merge-tree mergetool mktag mktree mv name-rev notes pack-refs patch-id prune pull push range-diff read-tree rebase ' +
    'reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email shortlog show show-branch show-ref ' +
    'sparse-checkout stash status stripspace submodule switch symbolic-ref tag update-index update-ref var verify-commit verify-pack verify-tag ' +
    'version whatchanged worktree write-tree maintenance gui instaweb daemon credential filter-repo'
  ).split(' '),
);

const running = new Set(
  'filter-branch filter-repo difftool mergetool send-email hook instaweb gui daemon credential rerere maintenance'.split(
    ' ',
  ),
);

const nested: Readonly<Record<string, readonly string[]>> = {
  bisect: ['run', 'visualize', 'view'],
  submodule: ['foreach', 'update', 'add'],
  remote: ['add', 'set-url'],
  stash: [],
};

const showing = new Set(
  'show log diff blame annotate apply am patch-id mailinfo update-index interpret-trailers cat-file grep diff-tree diff-index diff-files archive hash-object whatchanged range-diff'.split(
    ' ',
  ),
);

const remote = new Set('clone fetch pull push ls-remote send-email request-pull submodule'.split(' '));
