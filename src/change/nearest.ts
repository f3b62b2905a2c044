import { fold } from './lookalike.ts';

/** A stretch of the file that resembles the text looked for. */
export interface Nearest {
  /** The file's line (from 0) that stands for the first line of the text. */
  readonly line: number;
  /** `look`: every line looks the same. `part`: some lines are equal or nearly so. */
  readonly how: 'look' | 'part';
  /** Further places that look the same. */
  readonly more: number;
}

/** Lines of a file compared at most, and characters of one line. */
export const maxLines = 200_000;
const maxLineChars = 2000;

/** The place in a file that is most like `sent`; undefined when nothing resembles it. Time grows with the file alone. */
export function findNearest(file: readonly string[], sent: readonly string[]): Nearest | undefined {
  const lines = file.map((line) => fold(line.slice(0, maxLineChars)));
  const text = trimBlankEnds(sent.slice(0, 2000).map((line) => fold(line.slice(0, maxLineChars))));
  if (text.lines.length === 0) return undefined;
  const alike = sameLook(lines, text.lines);
  if (alike !== undefined) return moved(alike, text.skipped);
  const begun = longestBeginning(file, sent, 0.5);
  if (begun !== undefined) return begun;
  const found = votedLine(lines, text.lines) ?? similarLine(lines, text.lines);
  return found === undefined ? longestBeginning(file, sent, 0) : moved(found, text.skipped);
}

/** Blank lines in front of the text were left out of the search. */
function moved(found: Nearest, skipped: number): Nearest {
  return { ...found, line: Math.max(0, found.line - skipped) };
}

function trimBlankEnds(lines: readonly string[]): { lines: readonly string[]; skipped: number } {
  const first = lines.findIndex((line) => line !== '');
  if (first < 0) return { lines: [], skipped: 0 };
  return { lines: lines.slice(first, lines.findLastIndex((line) => line !== '') + 1), skipped: first };
}

/** The text may begin and end within a line. */
function sameLook(file: readonly string[], sent: readonly string[]): Nearest | undefined {
  const last = sent.length - 1;
  const fits = (at: number) => {
    if (last === 0) return file[at]!.includes(sent[0]!);
    if (!file[at]!.endsWith(sent[0]!) || !file[at + last]?.startsWith(sent[last]!)) return false;
    for (let i = 1; i < last; i += 1) if (file[at + i] !== sent[i]) return false;
    return true;
  };
  const places: number[] = [];
  for (let at = 0; at + last < file.length; at += 1) if (fits(at)) places.push(at);
  return places.length === 0 ? undefined : { line: places[0]!, how: 'look', more: places.length - 1 };
}

/** Every line that is found again votes for where the text would begin; long and rare lines weigh more. */
function votedLine(file: readonly string[], sent: readonly string[]): Nearest | undefined {
  const places = new Map<string, number[]>();
  for (const [i, line] of sent.entries()) {
    const known = places.get(line);
    if (line.length < 3) continue;
    if (known === undefined) places.set(line, [i]);
    else if (known.length < 4) known.push(i);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of file.entries()) {
    for (const i of places.get(line) ?? []) votes.set(at - i, (votes.get(at - i) ?? 0) + Math.min(line.length, 40));
  }
  let best: { start: number; weight: number } | undefined;
  for (const [start, weight] of votes) if (best === undefined || weight > best.weight) best = { start, weight };
  return best === undefined || best.weight < 6 ? undefined : { line: Math.max(0, best.start), how: 'part', more: 0 };
}

const enough = 0.45;

/** The file's line that shares most three-letter pieces with the longest line of the text. */
function similarLine(file: readonly string[], sent: readonly string[]): Nearest | undefined {
  const longest = sent.reduce((best, line, i) => (line.length > sent[best]!.length ? i : best), 0);
  const wanted = sent[longest]!.slice(0, 300);
  if (wanted.length < 4) return undefined;
  const pieces = new Uint8Array(1 << 16);
  for (let at = 0; at + 2 < wanted.length; at += 1) pieces[pieceAt(wanted, at)] = 1;
  let best = { at: -1, score: enough };
  for (const [at, line] of file.entries()) {
    if (line.length < 3 || line.length > 2 * wanted.length || wanted.length > 2 * line.length) continue;
    let both = 0;
    for (let i = 0; i + 2 < line.length; i += 1) both += pieces[pieceAt(line, i)]!;
    const score = (2 * both) / (wanted.length + line.length - 4);
    if (score > best.score) best = { at, score };
  }
  return best.at < 0 ? undefined : { line: Math.max(0, best.at - longest), how: 'part', more: 0 };
}

/** Three letters as a number of 16 bits. */
function pieceAt(line: string, at: number): number {
  return (line.charCodeAt(at) * 961 + line.charCodeAt(at + 1) * 31 + line.charCodeAt(at + 2)) & 0xffff;
}

/** Enough of a text to find its place by; short enough for the native search to stay linear. */
const beginningChars = 250;

/**
 * The longest beginning of the text that the file has, when it is at least `share` of it. Finds places within very long
 * lines, and texts glued together from two places.
 */
function longestBeginning(file: readonly string[], sent: readonly string[], share: number): Nearest | undefined {
  const text = file.join('\n');
  const wanted = sent.join('\n').slice(0, beginningChars);
  let known = 0;
  for (let low = 1, high = wanted.length; low <= high; ) {
    const middle = (low + high) >> 1;
    if (text.includes(wanted.slice(0, middle))) known = middle;
    if (known === middle) low = middle + 1;
    else high = middle - 1;
  }
  const beginning = wanted.slice(0, known);
  if (beginning.trim().length < 8 || known < share * wanted.length) return undefined;
  return { line: text.slice(0, text.indexOf(beginning)).split('\n').length - 1, how: 'part', more: 0 };
}
