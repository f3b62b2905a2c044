import type * as Unbash from 'unbash';
import type { Folders } from './folder.ts';
import type { Listing } from './listing.ts';
import { readWord, readWords } from './read-word.ts';
import { plainWord, type Scope, type ShellWord } from './word.ts';

/** One simple command with everything the shell does for it. */
export interface SimpleCommand {
  /** Name first; empty when the line only assigns or redirects. */
  readonly words: readonly ShellWord[];
  /** Names of the variables it sets, by a prefix or as `export NAME=…`. */
  readonly assigned: readonly string[];
  /** Its text as written, from the name to the last argument. */
  readonly source: string;
  /** The folders it may run in. */
  readonly folders: Folders;
  /** Where its standard input comes from, when the line says so. */
  readonly input: 'text' | 'file' | 'pipe' | undefined;
  /** The names of files that its standard input consists of, when that is all. */
  readonly lists?: Listing;
  /** What the line writes out for its standard input. */
  readonly given?: string;
  /** Commands before it in its pipeline, and those whose output is among its arguments or its input. */
  readonly feeds: readonly SimpleCommand[];
}

export function wordsOf(node: Unbash.Command, scope: Scope): ShellWord[] {
  if (node.name === undefined) return [];
  const words = [readWord(node.name, scope)];
  for (const arg of node.args) {
    if (arg.type === 'Word') words.push(...readWords(arg, scope));
    else words.push(assignmentWord(arg, scope));
  }
  return words;
}

/** An argument that looks like an assignment (`dd of=x`, `export A=b`) is a word to any other program. */
function assignmentWord(node: Unbash.Assignment, scope: Scope): ShellWord {
  if (node.value.type === 'ArrayValue' || node.index !== undefined)
    return { kind: 'open', raw: node.text, prefix: node.name };
  const value = readWord(node.value, scope);
  const head = `${node.name}${node.append ? '+' : ''}=`;
  if (value.kind === 'plain') return { ...plainWord(head + value.value), raw: node.text };
  if (value.kind === 'open') {
    const may = value.may?.map((one) => plainWord(head + one.raw)) ?? [];
    return { kind: 'open', raw: node.text, prefix: head + value.prefix, may };
  }
  return { kind: 'glob', raw: node.text, pieces: [{ type: 'text', text: head }, ...value.pieces] };
}

/** Its assignments, by a prefix or as `export NAME=…`. */
export function assignmentsOf({ prefix, suffix }: Unbash.Command): readonly Unbash.Assignment[] {
  return [...prefix, ...suffix].filter((part) => part.type === 'Assignment');
}

export function assignedBy(assignments: readonly Unbash.Assignment[]): string[] {
  return assignments.filter((part) => !isNoPager(part)).map(({ name }) => name);
}

/** `GIT_PAGER=cat` switches a pager off. */
function isNoPager({ name, value, append, index }: Unbash.Assignment): boolean {
  if (!/^(?:[A-Z]+_)?PAGER$/.test(name) || append === true || index !== undefined) return false;
  return value.type === 'Word' && (value.text === 'cat' || value.text === '');
}

/** What an assignment sets its variable to. */
export function valuesIn({ value }: Unbash.Assignment, scope: Scope): ShellWord[] {
  const words = value.type === 'Word' ? [value] : value.elements;
  return words.map((word) => readWord(word, scope));
}

export function sourceOf(node: Unbash.Command, text: string): string {
  if (node.name === undefined) return '';
  const last = node.args.at(-1) ?? node.name;
  return text.slice(node.name.pos, last.end);
}

/** The text of its here-document or here-string. */
export function givenTo(node: Unbash.Command): string | undefined {
  const given = node.redirects.findLast((redirect) => redirect.type !== 'Redirect');
  return given?.type === 'HereDoc' ? given.body.text : given?.target?.value;
}

export function inputOf(node: Unbash.Command, fed: boolean): SimpleCommand['input'] {
  const own = node.redirects.findLast(
    (redirect) => redirect.type !== 'Redirect' || redirect.operator === '<' || redirect.operator === '<>',
  );
  if (own !== undefined) return own.type === 'Redirect' ? 'file' : 'text';
  return fed ? 'pipe' : undefined;
}
