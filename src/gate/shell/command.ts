import { homedir } from 'node:os';
import type { Deed } from '../deed.ts';
import { cmdDeed } from './cmd-line.ts';
import { addProgram, isKnown } from './effects.ts';
import { steersPrograms } from './environment.ts';
import { evaluatedText, startEvaluation } from './evaluation.ts';
import { executeDeed, fromSystemFolder, programName } from './execute-deed.ts';
import { createWhereabouts, type Folders } from './folder.ts';
import type { Inner, Wrapped } from './inner.ts';
import { neutral, shells } from './interpreters.ts';
import {
  addDoubt,
  addUnread,
  byLine,
  type Line,
  type PlainCommand,
  type ShellContext,
  type ShellLine,
} from './line.ts';
import { followLinks } from './links.ts';
import { parseShell } from './parse.ts';
import { projectScript } from './project-script.ts';
import type { Redirection } from './script.ts';
import type { SimpleCommand } from './simple-command.ts';
import { tailsOf } from './tails.ts';
import { addFile } from './touch.ts';
import { plainText, type ShellWord, spell } from './word.ts';
import { unwrap, unwrapFind, unwrapShell } from './wrappers.ts';

const maxText = 256 * 1024;
const maxDepth = 8;

/** Takes a shell line apart into everything it runs and every file it touches. What is not understood is a doubt. */
export function readShellLine(
  text: string,
  shell: 'bash' | 'sh' | 'cmd',
  cwd: string,
  context: ShellContext,
): ShellLine {
  const home = context.home ?? homedir();
  const line: Line = {
    context,
    home,
    text: text.trim(),
    deeds: [],
    commands: [],
    shell: 'bash',
    depth: 0,
    within: [],
    evaluation: startEvaluation(),
    values: new Map(),
    handedOver: [],
    links: [],
    scripts: new Set(),
  };
  if (shell === 'cmd') line.deeds.push(cmdDeed(line.text));
  else if (text.includes('\0')) addUnread(line, 'the line holds a NUL character');
  else if (text.length > maxText) addUnread(line, 'the line is too long to analyse');
  else readScript(line, text, shell, [cwd]);
  followLinks(line);
  if (line.evaluation.evaluates && line.evaluation.sets) addDoubt(line, evaluatedText);
  if (line.deeds.length === 0) addDoubt(line, 'the line runs nothing that was understood');
  const [only, more] = line.commands.filter(({ vouched }) => vouched !== 'script');
  const simple =
    more === undefined && only?.within.length === 0 && line.deeds.every((deed) => deed.cover?.by !== 'line');
  return { text: line.text, deeds: line.deeds, commands: line.commands, simple };
}

/** Returns whether the script changes the folder of the shell that runs it. */
function readScript(line: Line, text: string, shell: 'bash' | 'sh', folders: Folders): boolean {
  if (line.depth >= maxDepth) {
    addUnread(line, 'shells inside shells, too deep to analyse');
    return false;
  }
  const outer = { shell: line.shell, depth: line.depth };
  line.shell = shell;
  line.depth += 1;
  const script = parseShell(text, {
    shell,
    evaluation: line.evaluation,
    values: line.values,
    home: line.home,
    whereabouts: createWhereabouts(line.home),
    folders,
  });
  for (const doubt of script.doubts) addDoubt(line, doubt);
  for (const why of script.unread) addUnread(line, why);
  if (script.changesFolder && script.commands.some(({ words }) => plainText(words[0]) === 'trap'))
    addDoubt(line, 'what a trap runs, in a line that changes the folder');
  for (const command of script.commands) addCommand(line, command, []);
  for (const redirection of script.redirections) addRedirection(line, redirection);
  line.shell = outer.shell;
  line.depth = outer.depth;
  return script.changesFolder;
}

function addRedirection(line: Line, { mode, target, folders }: Redirection): void {
  const address = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(plainText(target) ?? '')?.[1];
  if (address !== undefined) {
    line.deeds.push({
      kind: 'network',
      subject: address,
      faces: [{ safe: [address], loose: [] }],
      cover: byLine,
    });
    return;
  }
  if (mode !== 'write') addFile(line, 'read', target, folders, byLine);
  if (mode !== 'read') addFile(line, 'write', target, folders, byLine);
}

/** Judges a command and whatever it runs in turn. */
function addCommand(line: Line, command: SimpleCommand, within: readonly string[]): void {
  if (within.at(-1) === 'env' && command.assigned.length > 0) line.evaluation.sets = true;
  for (const name of command.assigned) {
    if (steersPrograms(name)) addDoubt(line, `the variable ${name} may change what programs do`);
  }
  const [first, ...args] = command.words;
  if (first === undefined) return;
  const written = plainText(first);
  const name = written === undefined ? undefined : programName(written);
  const text = [written === undefined ? first.raw : fromSystemFolder(written), ...args.map(spell)].join(' ').trim();
  const { folders, input, feeds } = command;
  const plain: PlainCommand = { name, args, text, folders, input, feeds, within };
  if (name === undefined || name === '') {
    const names = (first.kind === 'open' && first.may) || [];
    line.commands.push(plain, ...names.map((one) => ({ ...plain, name: programName(one.raw) })));
    line.deeds.push({
      ...executeDeed(plain, command, names),
      doubt: `which program ${first.raw} is, is known only when it runs`,
    });
    return;
  }
  const wrapped = unwrapAny(name, command, args) ?? projectScript(line, name, args, command.folders);
  const passive = passivity(written!, wrapped);
  const hints = wrapped === undefined && !isKnown(name) ? () => tailsOf(args) : undefined;
  line.deeds.push(withMore(executeDeed(plain, command), passive, hints));
  line.commands.push(plain);
  const from = { deed: line.deeds.length, command: line.commands.length };
  for (const inner of wrapped?.inner ?? []) addInner(line, inner, name, command, [...within, name]);
  if (wrapped?.vouches !== undefined) vouch(line, from, wrapped.vouches);
  const own = wrapped === undefined ? args : wrapped.own;
  if (own !== undefined) addProgram(line, own === args ? plain : { ...plain, args: own });
  if (line.handedOver.length === 0) return;
  for (const { text } of line.handedOver.splice(0)) addInnerText(line, text, name, command, [...within, name]);
}

function withMore(deed: Deed, passive: Deed['passive'], hints: Deed['hints']): Deed {
  const judged = passive === undefined ? deed : { ...deed, passive };
  return hints === undefined ? judged : { ...judged, hints };
}

/** The row for the outer command speaks for the deeds from a place on: what is left of them are the rows that refuse. */
function vouch(
  line: Line,
  from: { readonly deed: number; readonly command: number },
  by: NonNullable<Wrapped['vouches']>,
): void {
  for (let at = from.command; at < line.commands.length; at += 1)
    line.commands[at] = { ...line.commands[at]!, vouched: by };
  for (let at = from.deed; at < line.deeds.length; at += 1) {
    const { doubt, cover: _, ...deed } = line.deeds[at]!;
    const kept = doubt !== undefined && (deed.unread || (by === 'remote' && deed.kind === 'execute')) ? { doubt } : {};
    line.deeds[at] =
      deed.kind === 'execute'
        ? { ...deed, ...kept, ...(deed.faces.length > 0 ? { passive: 'neutral' } : {}) }
        : { ...deed, cover: { by: 'vouched' } };
  }
}

function passivity(written: string, wrapped: Wrapped | undefined): Deed['passive'] {
  if (wrapped === undefined) return neutral.has(written) ? 'neutral' : undefined;
  return wrapped.transparent && wrapped.inner.every((inner) => inner.type !== 'opaque') ? 'wrapper' : undefined;
}

function unwrapAny(name: string, { lists }: SimpleCommand, args: readonly ShellWord[]): Wrapped | undefined {
  if (name === 'find') {
    const inner = unwrapFind(args);
    return inner.length === 0 ? undefined : { inner, transparent: false, own: args };
  }
  if (!shells.has(name)) return unwrap(name, args, lists);
  const inner = unwrapShell(name, args);
  return inner === undefined ? undefined : { inner: [inner], transparent: true };
}

function addInner(line: Line, inner: Inner, name: string, command: SimpleCommand, within: readonly string[]): void {
  if (within.length > maxDepth) addUnread(line, 'wrappers inside wrappers, too deep to analyse');
  else if (inner.type === 'opaque') addOpaque(line, inner, name, command, within);
  else if (inner.type === 'text') addInnerText(line, inner.text, name, command, within);
  else {
    const source = inner.words.map(spell).join(' ');
    addCommand(line, { ...command, words: inner.words, assigned: inner.assigned ?? [], source }, within);
  }
}

/** What nobody can read is asked; what it may come to is held against what refuses. */
function addOpaque(
  line: Line,
  { why, may = [] }: Extract<Inner, { type: 'opaque' }>,
  name: string,
  command: SimpleCommand,
  within: readonly string[],
): void {
  addDoubt(line, `${name}: ${why}`, command.source);
  const printed = command.feeds.filter(({ words }) => /^(?:echo|printf)$/.test(plainText(words[0]) ?? ''));
  const fed = printed.map(({ words }) =>
    words
      .slice(1)
      .flatMap((word) => plainText(word) ?? [])
      .join(' '),
  );
  const texts = [
    ...may,
    ...fed.map((text) => text.replaceAll('\\n', '\n')),
    ...(command.given === undefined ? [] : [command.given]),
  ];
  for (const text of texts) if (text !== '') addInnerText(line, text, name, { ...command, feeds: [] }, within);
}

function addInnerText(line: Line, text: string, name: string, command: SimpleCommand, within: readonly string[]): void {
  const from = line.commands.length;
  const shell = posixShells.has(name) ? 'sh' : line.shell;
  const changesFolder = readScript(line, text, shell, command.folders);
  for (let at = from; at < line.commands.length; at += 1) {
    line.commands[at] = inherit(line.commands[at]!, command, within);
  }
  if (changesFolder && !shells.has(name)) addDoubt(line, `${name} changes the folder`, command.source);
}

const posixShells = new Set(['sh', 'dash', 'ash']);

/** What feeds the wrapper feeds the commands inside. */
function inherit(inner: PlainCommand, outer: SimpleCommand, within: readonly string[]): PlainCommand {
  const feeds = [...outer.feeds, ...inner.feeds];
  return { ...inner, feeds, input: inner.input ?? outer.input, within: [...within, ...inner.within] };
}
