import type * as Unbash from 'unbash';
import { noteEvaluation } from './evaluation.ts';
import { holders, isBashOnly, shellGrammar } from './grammar.ts';
import { isBare, listingOf } from './listing.ts';
import { isSetOnce, loopValues } from './loop-value.ts';
import { readWord, readWords } from './read-word.ts';
import { addValues, scopeOf } from './scope.ts';
import type { ParseOptions, ShellScript } from './script.ts';
import {
  assignedBy,
  assignmentsOf,
  givenTo,
  inputOf,
  type SimpleCommand,
  sourceOf,
  valuesIn,
  wordsOf,
} from './simple-command.ts';
import { startWalk, type Walk } from './walk.ts';
import type { ShellWord } from './word.ts';

export const maxCommands = 2000;
/** Characters inside substitutions, counted anew at each level: reading them costs about a second. */
const maxNested = 1_000_000;

/** Takes a script apart by the shell's grammar. Never throws: what can't be read becomes a doubt. */
export function parseShell(text: string, options: ParseOptions): ShellScript {
  const walk = startWalk(text, options);
  const script = shellGrammar().parse(text);
  walkScript(walk, script, text);
  if (walk.definesFunctions && walk.changesFolder) walk.doubts.add('a function in a line that changes the folder');
  const { commands, redirections } = walk;
  return {
    commands,
    redirections,
    doubts: [...walk.doubts],
    unread: [...walk.unread],
    changesFolder: walk.changesFolder,
  };
}

function walkScript(walk: Walk, script: Unbash.ParsedScript, source: string): void {
  if (script.errors !== undefined && script.errors.length > 0) {
    walk.doubts.add(`the shell's grammar does not take it: ${script.errors[0]!.message}`);
    const deep = script.errors.find(({ message }) => message.startsWith('maximum'));
    if (deep !== undefined) walk.unread.add(`${deep.message}: too deep to analyse`);
  }
  const outer = walk.source;
  walk.source = script.source ?? source;
  for (const statement of script.commands) visit(walk, statement);
  walk.source = outer;
}

function visit(walk: Walk, node: Unbash.SyntaxNode): void {
  if (walk.commands.length > maxCommands) {
    walk.unread.add('the line has too many commands to analyse');
    return;
  }
  if (holders.has(node.type)) walk.nested += node.end - node.pos;
  if (walk.nested > maxNested) {
    walk.unread.add('the line has too much inside substitutions to analyse');
    return;
  }
  if (walk.shell === 'sh' && isBashOnly(node, walk.source)) walk.doubts.add('syntax of bash under /bin/sh');
  noteEvaluation(walk.evaluation, node);
  const visitor = visitors[node.type] as ((walk: Walk, node: Unbash.SyntaxNode) => void) | undefined;
  (visitor ?? visitChildren)(walk, node);
}

type Visitors = {
  readonly [T in Unbash.SyntaxNode['type']]?: (walk: Walk, node: Extract<Unbash.SyntaxNode, { type: T }>) => void;
};

/** What matters for folders and commands; every other node only holds such nodes. */
const visitors: Visitors = {
  Word: (walk, node) => {
    if (!isPlainText(node)) visitChildren(walk, node);
  },
  Script: (walk, node) => apart(walk, () => walkScript(walk, node, walk.source)),
  Statement: (walk, node) =>
    node.background ? apart(walk, () => visit(walk, node.command)) : visit(walk, node.command),
  AndOr: walkAndOr,
  Pipeline: walkPipeline,
  Subshell: (walk, node) => apart(walk, () => visitChildren(walk, node)),
  Coproc: (walk, node) => apart(walk, () => visitChildren(walk, node)),
  If: walkBranches,
  Case: walkBranches,
  For: walkLoop,
  Select: walkLoop,
  While: walkLoop,
  ArithmeticFor: walkLoop,
  Function: walkFunction,
  Redirect: walkRedirect,
  CommandExpansion: walkExpansion,
  ParameterExpansion: walkParameter,
  Command: walkCommand,
};

/** A word without parts holds nothing to visit. */
function isPlainText(node: Unbash.SyntaxNode): boolean {
  return node.type === 'Word' && node.parts === undefined;
}

function visitChildren(walk: Walk, node: Unbash.SyntaxNode): void {
  shellGrammar().forEachChild(node, (child) => visit(walk, child));
}

/** A subshell: what it does to the folder ends with it. */
function apart(walk: Walk, run: () => void): void {
  const before = walk.folders;
  run();
  walk.folders = before;
}

/** `a && b`: b runs where a left off; what follows may run where any of them left off. */
function walkAndOr(walk: Walk, node: Unbash.AndOr): void {
  const { join } = walk.whereabouts;
  let ends = walk.folders;
  node.commands.forEach((command, at) => {
    const before = walk.folders;
    visit(walk, command);
    if (node.operators[at] === '||') walk.folders = join(before, walk.folders);
    ends = at === 0 ? walk.folders : join(ends, walk.folders);
  });
  walk.folders = ends;
}

function walkPipeline(walk: Walk, node: Unbash.Pipeline): void {
  if (node.commands.length === 1) {
    visitChildren(walk, node);
    return;
  }
  for (const prefix of node.prefixes) visit(walk, prefix);
  const outer = walk.feeding;
  let stages: (readonly ShellWord[])[] | undefined = node.operators.includes('|&') ? undefined : [];
  for (const command of node.commands) {
    const from = walk.commands.length;
    walk.listing = stages !== undefined && isBare(command) ? listingOf(stages) : undefined;
    apart(walk, () => visit(walk, command));
    stages = isBare(command) ? stages?.concat([walk.commands.at(-1)!.words]) : undefined;
    walk.feeding = [...(walk.feeding ?? []), ...walk.commands.slice(from)];
  }
  walk.feeding = outer;
}

/** Any part may run after any other, as far as folders go. */
function walkBranches(walk: Walk, node: Unbash.If | Unbash.Case): void {
  let reached = walk.folders;
  shellGrammar().forEachChild(node, (child) => {
    walk.folders = reached;
    visit(walk, child);
    reached = walk.whereabouts.join(reached, walk.folders);
  });
  walk.folders = reached;
}

/** The second round of a loop may start elsewhere than the first. */
function walkLoop(walk: Walk, node: Unbash.For | Unbash.Select | Unbash.While | Unbash.ArithmeticFor): void {
  const before = walk.folders;
  if (node.type === 'For') walkFor(walk, node);
  else {
    if (node.type === 'Select') setByLoop(walk, node);
    visitChildren(walk, node);
  }
  if (walk.folders !== before) {
    walk.doubts.add('the folder changes inside a loop');
    walk.folders = walk.whereabouts.join(before, walk.folders);
  }
}

function setByLoop(walk: Walk, { name, wordlist = [] }: Unbash.For | Unbash.Select): readonly ShellWord[] {
  addSetter(walk, name.value);
  const words = wordlist.flatMap((word) => readWords(word, scopeOf(walk)));
  addValues(walk, name.value, words);
  return words;
}

/** Inside the loop its variable has one of the values, if nothing else can set it. */
function walkFor(walk: Walk, node: Unbash.For): void {
  const name = node.name.value;
  const words = setByLoop(walk, node);
  for (const word of node.wordlist ?? []) visit(walk, word);
  const values = isSetOnce(walk.text, name) ? loopValues(words, walk.folders) : undefined;
  if (values !== undefined) walk.loops.set(name, values);
  visit(walk, node.body);
  walk.loops.delete(name);
}

function walkFunction(walk: Walk, node: Unbash.Function): void {
  walk.definesFunctions = true;
  apart(walk, () => visitChildren(walk, node));
}

/** `${ cmd; }` runs in the shell itself, so it may change the folder in the middle of a word. */
function walkExpansion(walk: Walk, node: Unbash.CommandExpansionPart): void {
  if (node.text.startsWith('${')) walk.doubts.add('commands inside a parameter expansion');
  visitChildren(walk, node);
}

/** `${NAME:=value}` sets a variable. */
function walkParameter(walk: Walk, node: Unbash.ParameterExpansionPart): void {
  const operation = node.operation;
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) addSetter(walk, node.parameter);
  visitChildren(walk, node);
}

function addSetter(walk: Walk, name: string): void {
  walk.commands.push({ words: [], assigned: [name], source: '', folders: walk.folders, input: undefined, feeds: [] });
}

function walkRedirect(walk: Walk, node: Unbash.Redirect): void {
  if (node.target === undefined) {
    walk.doubts.add('a redirect without a target');
    return;
  }
  const target = readWord(node.target, scopeOf(walk));
  const duplicates = node.operator === '>&' || node.operator === '<&';
  if (duplicates && target.kind === 'plain' && /^(?:\d+-?|-)$/.test(target.value)) return;
  const mode = node.operator === '<' || node.operator === '<&' ? 'read' : node.operator === '<>' ? 'both' : 'write';
  walk.redirections.push({ mode, target, folders: walk.folders });
  visitChildren(walk, node);
}

function walkCommand(walk: Walk, node: Unbash.Command): void {
  const from = walk.commands.length;
  const scope = scopeOf(walk);
  const lists = walk.listing;
  walk.listing = undefined;
  const assignments = assignmentsOf(node);
  for (const one of assignments) addValues(walk, one.name, valuesIn(one, scope));
  for (const part of node.prefix) visit(walk, part);
  for (const part of node.suffix) if (!isPlainText(part)) visit(walk, part);
  if (node.name !== undefined && !isPlainText(node.name)) visitChildren(walk, node.name);
  const feeds = [...(walk.feeding ?? []), ...walk.commands.slice(from)];
  const given = givenTo(node);
  const command: SimpleCommand = {
    words: wordsOf(node, scope),
    assigned: assignedBy(assignments),
    source: sourceOf(node, walk.source),
    folders: walk.folders,
    input: inputOf(node, walk.feeding !== undefined),
    ...(given === undefined ? {} : { given }),
    ...(lists === undefined ? {} : { lists }),
    feeds,
  };
  walk.commands.push(command);
  const next = walk.whereabouts.after(command.words, walk.folders);
  if (next !== walk.folders) walk.changesFolder = true;
  walk.folders = next;
}
