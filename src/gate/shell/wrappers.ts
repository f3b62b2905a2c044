import { unwrapContainer } from './containers.ts';
import { unwrapGit } from './git-inner.ts';
import { type Inner, joined, textOf, type Wrapped } from './inner.ts';
import { unwrapLater } from './later.ts';
import { foundBy, type Listing } from './listing.ts';
import { type GivenOption, type OptionTable, optionNames, readArguments } from './options.ts';
import { unwrapParallel } from './parallel.ts';
import { unwrapRemote } from './remote.ts';
import { hasSynonyms, subcommandOf } from './synonyms.ts';
import { isOpenHandle, type OpenWord, plainText, plainWord, type ShellWord, startOf } from './word.ts';
import { stopping, type Wrapper } from './wrapper-table.ts';

/** Looks through one wrapper; undefined when the command runs no other one. */
export function unwrap(name: string, args: readonly ShellWord[], lists?: Listing): Wrapped | undefined {
  if (name === 'env') return unwrapEnv(args);
  if (name === 'eval') return { inner: [joined(args)], transparent: true };
  if (name === 'trap') return unwrapTrap(args);
  if (name === 'git') return unwrapGit(args);
  if (name === 'parallel') return unwrapParallel(args);
  const apart = unwrapContainer(name, args) ?? unwrapRemote(name, args) ?? unwrapLater(name, args);
  if (apart !== undefined) return apart;
  if (name === 'command' && isQuery(args)) return undefined;
  const known = withSubcommand(name, args);
  for (const wrapper of stopping.get(name) ?? []) {
    const wrapped = unwrapBy(wrapper, known, lists);
    if (wrapped !== undefined) return wrapped;
  }
  return undefined;
}

/** `npm exe` is `npm exec`. */
function withSubcommand(name: string, args: readonly ShellWord[]): readonly ShellWord[] {
  const word = hasSynonyms(name) ? plainText(args[0]) : undefined;
  const command = word === undefined ? undefined : subcommandOf(name, word);
  return command === undefined || command === word ? args : [plainWord(command), ...args.slice(1)];
}

/** Does a command that begins like this run another one, or could it with more arguments? */
export function mayWrap(name: string, args: readonly ShellWord[]): boolean {
  if (['env', 'eval', 'trap'].includes(name)) return true;
  if (name === 'command' && isQuery(args)) return false;
  return (stopping.get(name) ?? []).some(({ after = [] }) =>
    after.every((word, at) => at >= args.length || plainText(args[at]) === word),
  );
}

function unwrapBy(wrapper: Wrapper, args: readonly ShellWord[], lists?: Listing): Wrapped | undefined {
  const after = wrapper.after ?? [];
  if (!after.every((word, at) => plainText(args[at]) === word)) return undefined;
  const read = readArguments(args.slice(after.length), wrapper);
  const transparent = wrapper.transparent ?? false;
  const runs = optionNames(wrapper.runs);
  const coded = read.options.filter((option) => runs.includes(option.name));
  if (coded.length > 0) return { inner: coded.map((option) => textOf(option.value)), transparent: false };
  const words = withoutAssignments(read.operands.slice(wrapper.operands ?? 0), wrapper);
  // `flock FILE -c TEXT` has its option behind the operand.
  if (plainText(words[0]) === '-c' && runs.includes('-c')) return { inner: [textOf(words[1])], transparent };
  if (read.unsure && words.length === 0)
    return { inner: [{ type: 'opaque', why: 'what it runs is not written out' }], transparent };
  if (words.length === 0)
    return wrapper.shell
      ? { inner: [{ type: 'opaque', why: 'without a command it starts a shell' }], transparent }
      : undefined;
  if (wrapper.joins) return { inner: [joined(words)], transparent };
  if (wrapper.more)
    return { inner: [{ type: 'words', words: withMore(words, read.options, lists) }], transparent, own: args };
  return { inner: [{ type: 'words', words }], transparent };
}

/** `sudo A=1 cmd` and `cross-env A=1 cmd`. */
function withoutAssignments(words: readonly ShellWord[], { assigns }: Wrapper): readonly ShellWord[] {
  if (assigns !== true) return words;
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(startOf(word)));
  return first < 0 ? [] : words.slice(first);
}

/** xargs adds words at the end, or in the place of a mark. */
function withMore(
  words: readonly ShellWord[],
  options: readonly GivenOption[],
  lists: Listing | undefined,
): readonly ShellWord[] {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  const below = lists === undefined || has('-a', '--arg-file') ? undefined : takenFrom(lists, has('-0', '--null'));
  const mark = options.findLast(({ name }) => name === '-I' || name === '-i' || name === '--replace');
  if (mark === undefined) return [...words, { kind: 'open', raw: '…', prefix: '', ...below }];
  return words.map((word) => foundFile(word, plainText(mark.value) ?? '{}', '', below));
}

/** Without `-0`, xargs cuts names at blanks. */
function takenFrom(lists: Listing, whole: boolean): Pick<OpenWord, 'below'> {
  return { below: whole ? lists : { ...lists, split: true } };
}

function unwrapTrap(args: readonly ShellWord[]): Wrapped | undefined {
  const rest = plainText(args[0]) === '--' ? args.slice(1) : args;
  if (rest.length < 2 || /^-/.test(plainText(rest[0]) ?? '')) return undefined;
  return { inner: [textOf(rest[0])], transparent: true };
}

/** `command -v x` only looks a name up. */
function isQuery(args: readonly ShellWord[]): boolean {
  return args.some(
    (arg, at) =>
      /^-p?[vV]/.test(plainText(arg) ?? '') && args.slice(0, at).every((before) => plainText(before) === '-p'),
  );
}

const envOptions: OptionTable = { values: '-u --unset -C --chdir', runs: '-S= --split-string=', stops: true };

function unwrapEnv(args: readonly ShellWord[]): Wrapped | undefined {
  const read = readArguments(args, envOptions);
  const names = read.options.map((option) => option.name);
  const split = read.options.findLast(({ name }) => name === '-S' || name === '--split-string');
  if (split !== undefined) {
    const texts = [split.value, ...read.operands].map((word) => plainText(word) ?? '');
    return {
      inner: [{ type: 'opaque', why: 'env splits a text into a command', may: [texts.join(' ')] }],
      transparent: true,
    };
  }
  if (names.some((name) => name === '-C' || name === '--chdir')) {
    const may = [read.operands.map((word) => plainText(word) ?? '').join(' ')];
    return { inner: [{ type: 'opaque', why: 'env changes the folder first', may }], transparent: true };
  }
  const assigned: string[] = [];
  let at = 0;
  for (; at < read.operands.length; at += 1) {
    const name = /^([^=]+)=/.exec(startOf(read.operands[at]!))?.[1];
    if (name === undefined) break;
    assigned.push(name);
  }
  const words = read.operands.slice(at);
  return words.length === 0 ? undefined : { inner: [{ type: 'words', words, assigned }], transparent: true };
}

/** The commands that `find` runs, and what it does to the files it finds. */
export function unwrapFind(args: readonly ShellWord[]): readonly Inner[] {
  const found: Inner[] = [];
  const files = foundBy(args);
  const below = files === undefined ? {} : { below: files };
  for (let at = 0; at < args.length; at += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(plainText(args[at]) ?? '')) continue;
    let end = at + 1;
    while (end < args.length && plainText(args[end]) !== ';' && plainText(args[end]) !== '+') end += 1;
    const words = args.slice(at + 1, end).map((word) => foundFile(word, '{}', './', below));
    found.push(
      words.length === 0 ? { type: 'opaque', why: 'find runs nothing that is written out' } : { type: 'words', words },
    );
    at = end;
  }
  return found;
}

/** The mark stands for a file known only when it runs. What find puts in begins with the folder it was given, so it is no option. */
function foundFile(word: ShellWord, mark: string, start: string, below?: Pick<OpenWord, 'below'>): ShellWord {
  const value = plainText(word);
  if (value === undefined || !value.includes(mark)) return word;
  const prefix = value.slice(0, value.indexOf(mark));
  return { kind: 'open', raw: value, prefix: prefix === '' ? start : prefix, ...(value === mark ? below : {}) };
}

/** A shell with its arguments: the text it is given, or why that is not known. Undefined when it runs a script file. */
export function unwrapShell(name: string, args: readonly ShellWord[]): Inner | undefined {
  const read = readArguments(args, shellOptions);
  const names = read.options.map((option) => option.name);
  if (names.includes('--rcfile') || names.includes('--init-file'))
    return { type: 'opaque', why: 'it loads a start-up file' };
  if (names.includes('-s') || startOf(read.operands[0] ?? plainWord('')).startsWith('+')) {
    return { type: 'opaque', why: `what ${name} runs is not told by its arguments` };
  }
  if (!names.includes('-c')) return runsScript(name, read.operands[0]);
  if (read.unsure) return { type: 'opaque', why: 'the text it runs is not fixed', may: textsOf(read.operands[0]) };
  if (!grammarShells.has(name))
    return { type: 'opaque', why: `the grammar of ${name} is another one`, may: textsOf(read.operands[0]) };
  return textOf(read.operands[0]);
}

/** A script that is a file is looked at when it is run; one that nobody can name, or the input, is anything. */
function runsScript(name: string, script: ShellWord | undefined): Inner | undefined {
  if (script === undefined || isOpenHandle(script))
    return { type: 'opaque', why: `${name} takes commands from its input` };
  return script.kind === 'plain'
    ? undefined
    : { type: 'opaque', why: 'which script it runs is known only when it runs', may: textsOf(script) };
}

function textsOf(word: ShellWord | undefined): readonly string[] {
  const inner = textOf(word);
  return inner.type === 'text' ? [inner.text] : inner.type === 'opaque' ? (inner.may ?? []) : [];
}

const shellOptions: OptionTable = { values: '-o -O +o +O --rcfile --init-file', stops: true };

const grammarShells = new Set(['sh', 'bash', 'dash', 'ash', 'rbash']);
