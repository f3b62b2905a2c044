import { nameCharacter } from '../base/codec.ts';
import { fold } from './lookalike.ts';

/** The first place in which two lines differ, in words and made visible. */
export interface Difference {
  /** `the file has a tab where the text sent has 4 spaces`. */
  readonly words: string;
  /** The lines around that place, white space and invisible characters shown by marks. */
  readonly file: string;
  readonly sent: string;
}

/** Compares a line of the file with the line that was sent for it; neither includes its line end. They must differ. */
export function describeDifference(file: string, sent: string): Difference {
  const at = firstDifference(file, sent);
  const blank = fold(file) === fold(sent);
  return {
    words: `the file has ${nameAt(file, sent, at, blank)} where the text sent has ${nameAt(sent, file, at, blank)}`,
    file: excerpt(file, at),
    sent: excerpt(sent, at),
  };
}

/** White space as marks: `→` a tab, `·` a space at an end or beside another, `␍` a carriage return, `[U+00A0]` and so on. */
export function makeVisible(text: string): string {
  return text
    .replace(/^ +| +$| {2,}/g, (run) => '·'.repeat(run.length))
    .replaceAll('\t', '→')
    .replaceAll('\r', '␍')
    .replace(/[^\P{C}\n]|[^\P{Z} ]/gu, (char) => `[${nameCharacter(char)}]`);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  // Not between the halves of a pair.
  return at > 0 && /[\udc00-\udfff]/.test((a[at] ?? '') + (b[at] ?? '')) ? at - 1 : at;
}

/** What one line has at the place of difference: white space as a whole run, otherwise a character or a word. */
function nameAt(line: string, other: string, at: number, alike: boolean): string {
  const starts = blankStart(line, other, at);
  const run = /^\s+/.exec(line.slice(starts, starts + 200))?.[0] ?? '';
  if (run !== '') return nameBlanks(run);
  if (/^\s/.test(other.slice(starts, starts + 1))) return 'no white space';
  const rest = line.slice(at, at + 40);
  if (rest === '') return 'nothing more';
  const char = String.fromCodePoint(line.codePointAt(at)!);
  return alike || /[^!-~]/.test(char) ? nameCharacter(char) : JSON.stringify(clipped(/^\S+/.exec(rest)?.[0] ?? rest));
}

function clipped(word: string): string {
  return word.length > 24 ? `${word.slice(0, 24)}…` : word;
}

/** Where the run of white space that both lines differ in begins, or `at` when the difference is not in white space. */
function blankStart(line: string, other: string, at: number): number {
  if (!/\s/.test((line[at] ?? '') + (other[at] ?? ''))) return at;
  let start = at;
  while (start > 0 && /\s/.test(line[start - 1]!)) start -= 1;
  return start;
}

function nameBlanks(run: string): string {
  const parts = run.match(/(.)\1*/gsu) ?? [];
  return parts.map(nameRun).join(' and ');
}

function nameRun(run: string): string {
  const names: Readonly<Record<string, string>> = { ' ': 'space', '\t': 'tab', '\r': 'carriage return' };
  const name = names[run[0]!] ?? nameCharacter(run[0]!);
  if (run.length === 1) return names[run[0]!] === undefined ? name : `a ${name}`;
  return `${run.length} ${name}${names[run[0]!] === undefined ? '' : 's'}`;
}

const before = 60;
const behind = 100;

function excerpt(line: string, at: number): string {
  if (line === '') return '(nothing)';
  const from = at > before + 20 ? at - before : 0;
  const to = line.length > at + behind + 20 ? at + behind : line.length;
  return `${from > 0 ? '…' : ''}${makeVisible(line.slice(from, to))}${to < line.length ? '…' : ''}`;
}
