import { homedir } from 'node:os';
import { basename } from 'node:path';
import type { Deed } from '../deed.ts';
import { addProgram } from './effects.ts';
import { steersPrograms } from './environment.ts';
import { evaluatedText, startEvaluation } from './evaluation.ts';
import { createWhereabouts, type Folders } from './folder.ts';
import { withoutGlobals } from './git-command.ts';
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
import { parseShell, type Redirection } from './parse.ts';
import type { SimpleCommand } from './simple-command.ts';
import { addFile } from './touch.ts';
import { plainText, type ShellWord, spell } from './word.ts';
import { type Inner, unwrap, unwrapFind, unwrapShell, type Wrapped } from './wrappers.ts';

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
  };
  if (shell === 'cmd') readForeign(line);
  else if (text.includes('\0')) addUnread(line, 'the line holds a NUL character');
  else if (text.length > maxText) addUnread(line, 'the line is too long to analyse');
  else readScript(line, text, shell, [cwd]);
  if (line.evaluation.evaluates && line.evaluation.sets) addDoubt(line, evaluatedText);
  if (line.deeds.length === 0) addDoubt(line, 'the line runs nothing that was understood');
  const [only] = line.commands;
  const simple =
    line.commands.length === 1 && only?.within.length === 0 && line.deeds.every((deed) => deed.cover?.by !== 'line');
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
  for (const command of script.commands) addCommand(line, command, []);
  for (const redirection of script.redirections) addRedirection(line, redirection);
  Object.assign(line, outer);
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
  const plain: PlainCommand = { ...command, name, args, text, within };
  if (name === undefined || name === '') {
    line.commands.push(plain);
    line.deeds.push({
      ...executeDeed(plain, command),
      doubt: `which program ${first.raw} is, is known only when it runs`,
    });
    return;
  }
  const wrapped = unwrapAny(name, args);
  const passive = passivity(written!, wrapped);
  line.deeds.push({ ...executeDeed(plain, command), ...(passive === undefined ? {} : { passive }) });
  line.commands.push(plain);
  for (const inner of wrapped?.inner ?? []) addInner(line, inner, name, command, [...within, name]);
  if (wrapped === undefined || name === 'find') addProgram(line, plain);
}

function passivity(written: string, wrapped: Wrapped | undefined): Deed['passive'] {
  if (wrapped === undefined) return neutral.has(written) ? 'neutral' : undefined;
  return wrapped.transparent && wrapped.inner.every((inner) => inner.type !== 'opaque') ? 'wrapper' : undefined;
}

function unwrapAny(name: string, args: readonly ShellWord[]): Wrapped | undefined {
  if (name === 'find') {
    const inner = unwrapFind(args);
    return inner.length === 0 ? undefined : { inner, transparent: false };
  }
  if (!shells.has(name)) return unwrap(name, args);
  const inner = unwrapShell(name, args);
  return inner === undefined ? undefined : { inner: [inner], transparent: true };
}

function addInner(line: Line, inner: Inner, name: string, command: SimpleCommand, within: readonly string[]): void {
  if (within.length > maxDepth) addUnread(line, 'wrappers inside wrappers, too deep to analyse');
  else if (inner.type === 'opaque') addDoubt(line, `${name}: ${inner.why}`, command.source);
  else if (inner.type === 'text') addInnerText(line, inner.text, name, command, within);
  else {
    const source = inner.words.map(spell).join(' ');
    addCommand(line, { ...command, words: inner.words, assigned: inner.assigned ?? [], source }, within);
  }
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

function executeDeed(plain: PlainCommand, { source, words }: SimpleCommand): Deed {
  const loose = words.map((word) => plainText(word) ?? word.raw).join(' ');
  const { name, text } = plain;
  const rest = words.slice(1).map((word) => plainText(word) ?? word.raw);
  const spellings =
    name === undefined ? [loose] : [loose, [name, ...rest].join(' '), [name, ...plain.args.map(spell)].join(' ')];
  if (name === 'git')
    spellings.push(['git', ...withoutGlobals(plain.args).map((word) => plainText(word) ?? word.raw)].join(' '));
  return { kind: 'execute', subject: text, faces: [{ safe: [text, source], loose: spellings }] };
}

/** `/usr/bin/git` is `git`; a program elsewhere keeps its path, so that a row for `git *` does not speak for it. */
function fromSystemFolder(written: string): string {
  const name = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/.exec(written)?.[1] ?? written;
  return spell({ kind: 'plain', raw: name, value: name });
}

function programName(written: string): string {
  return basename(written.replace(/\/+$/, ''));
}

/** `cmd` has no grammar here: every piece of the line is held against the rows that refuse, and the line is asked. */
function readForeign(line: Line): void {
  const pieces = line.text.split(/[&|<>()\r\n]+/).map((piece) => piece.trim().replace(/^@/, ''));
  const loose = pieces.flatMap((piece) => [
    piece,
    piece
      .replaceAll(/["^]/g, '')
      .replace(/^\S*[\\/]/, '')
      .replace(/^(\S+)\.(?:exe|cmd|bat|com)\b/i, '$1'),
  ]);
  line.deeds.push({
    kind: 'execute',
    subject: line.text,
    faces: [{ safe: [], loose: [line.text, ...loose.filter(Boolean)] }],
    doubt: 'the grammar of cmd is not analysed',
  });
}
