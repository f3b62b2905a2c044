import { describeDifference } from '../difference.ts';
import { fold } from '../lookalike.ts';
import { findNearest, maxLines } from '../nearest.ts';
import type { PatchedText } from './codec.ts';
import { type Eol, type Hunk, type HunkLine, oldLines } from './model.ts';
import { lineFits, type Placement } from './place.ts';
import { withoutCr } from './text.ts';
import type { Wanted } from './wanted.ts';

/** Says why a hunk can't be placed: where it comes nearest, and the first line that differs there. */
export function describeMiss(
  text: PatchedText,
  hunk: Hunk,
  number: number,
  wanted: Wanted,
  found: Placement,
  from: number,
): string {
  const name = nameHunk(hunk, number);
  switch (found.type) {
    case 'ambiguous':
      return `${name} ${describeTie(found)}. Give it more context lines or the right line number`;
    case 'unbounded':
      return `${name} and others have wrong line numbers, and finding their places takes too long. Send the right line numbers`;
    default:
      return `${name} does not match: ${describeAbsent(text, hunk, wanted, from)}`;
  }
}

/** @param number counted from 0 within its file */
export function nameHunk({ header }: Hunk, number: number): string {
  return `hunk ${number + 1} (${clip(header)})`;
}

function describeTie({ indexes, why }: Placement & { readonly type: 'ambiguous' }): string {
  const places = `lines ${indexes[0] + 1} and ${indexes[1] + 1}`;
  switch (why) {
    case 'several':
      return `matches more than one place, e.g. ${places}`;
    case 'tie':
      return `matches ${places} equally near`;
    case 'drift':
      return `matches ${places}, and since the hunk before it was found on another line than stated, either may be meant`;
  }
}

function describeAbsent(text: PatchedText, hunk: Hunk, wanted: Wanted, from: number): string {
  const { lines } = text;
  const olds = oldLines(hunk);
  if (olds.length === 0) return describeInsert(lines.count, wanted);
  if (lines.count === 0) return 'the file is empty';
  const unheld = olds.find((_, at) => wanted.olds[at]!.bytes === undefined);
  if (unheld) return `line ${unheld.line} of the patch has characters that the file's encoding does not have`;
  const best = nearestPlace(text, wanted, from) ?? similarPlace(text, olds) ?? statedPlace(text, wanted);
  const miss = olds.findIndex((_, at) => best + at >= lines.count || !lineFits(lines, best + at, wanted, at));
  if (miss < 0) return describeFit(best, best + olds.length, from, lines.count);
  return describeLine(text, olds[miss]!, best + miss);
}

function describeInsert(count: number, { stated }: Wanted): string {
  if (stated === undefined) return 'it has neither context nor a line number';
  if (stated > count) return `it inserts after line ${stated}, but the file has ${count} lines`;
  if (stated === count) return 'it adds lines behind a last line that has no newline. Replace that line too';
  return 'it stands before the end of the hunk before it. Put hunks in the order of the file';
}

/** Every line is there, but the place is not free or not at the end. */
function describeFit(best: number, end: number, from: number, count: number): string {
  if (best < from)
    return `its lines are at line ${best + 1}, inside or before the hunk before it. Put hunks in the order of the file`;
  return `it ends the file without a newline, but the place it matches ends at line ${end} of ${count}`;
}

/** The index where most wanted lines stand, if any do: tried are the stated place and the first places of the longest lines. */
function nearestPlace(text: PatchedText, wanted: Wanted, from: number): number | undefined {
  let best = statedPlace(text, wanted);
  let most = score(text, wanted, best);
  for (const index of candidates(text, wanted)) {
    const count = score(text, wanted, index);
    const nearer = count === most && distance(index, wanted, from) < distance(best, wanted, from);
    if (count > most || nearer) [best, most] = [index, count];
  }
  return most > 0 ? best : undefined;
}

function statedPlace({ lines }: PatchedText, { stated }: Wanted): number {
  return Math.min(stated ?? 0, Math.max(0, lines.count - 1));
}

/** The index of lines that look like the wanted ones, in a file that is not too big to be decoded for a message. */
function similarPlace({ lines, decode }: PatchedText, olds: readonly HunkLine[]): number | undefined {
  if (lines.bytes.length > maxSearched) return undefined;
  const file = decode(lines.bytes).split('\n', maxLines).map(withoutCr);
  return findNearest(
    file,
    olds.map(({ text }) => text),
  )?.line;
}

const maxSearched = 8 * 1024 * 1024;

function distance(index: number, { stated }: Wanted, from: number): number {
  return Math.abs(index - (stated ?? from));
}

const maxCandidates = 200;
const maxScored = 200;

function candidates(text: PatchedText, wanted: Wanted): number[] {
  const { lines } = text;
  const longest = wanted.olds
    .map(({ bytes }, at) => ({ at, length: bytes!.length }))
    .sort((a, b) => b.length - a.length)
    .slice(0, 3);
  const found: number[] = [];
  for (const { at } of longest) {
    for (let index = 0, hits = 0; index < lines.count && hits < maxCandidates; index += 1) {
      if (index < at || !lineFits(lines, index, wanted, at)) continue;
      found.push(index - at);
      hits += 1;
    }
  }
  return found;
}

function score({ lines }: PatchedText, wanted: Wanted, index: number): number {
  let count = 0;
  const end = Math.min(wanted.olds.length, lines.count - index, maxScored);
  for (let at = 0; at < end; at += 1) if (lineFits(lines, index + at, wanted, at)) count += 1;
  return count;
}

function describeLine(text: PatchedText, old: HunkLine, index: number): string {
  const { lines } = text;
  const expected = `line ${old.line} of the patch expects ${show(old.text)}`;
  if (index >= lines.count) return `${expected}, but the file ends with line ${lines.count}`;
  const start = lines.start(index);
  const there = text.decode(lines.bytes.subarray(start, Math.min(lines.textEnd(index), start + maxDecoded)));
  if (there === old.text)
    return `${expected} at line ${index + 1}, and the text is there, but ${describeEnds(old.eol, lines.eol(index))}`;
  const alike = there.length < maxDecoded && fold(there) === fold(old.text);
  const why = alike ? `: ${describeDifference(there, old.text).words}` : '';
  return `${expected}, but line ${index + 1} of the file is ${show(there)}${why}`;
}

function describeEnds(wanted: Eol, there: Eol): string {
  if (there === '')
    return 'it is the last line and has no newline: put "\\ No newline at end of file" behind it in the patch';
  if (wanted === '') return 'it ends with a newline, which the patch says is missing';
  return `it ends with ${endName(there)}, not ${endName(wanted)}`;
}

function endName(eol: Eol): string {
  return eol === '\r\n' ? 'CRLF' : 'LF';
}

/** A line in quotes, with tabs, control characters and look-alikes of ASCII written as escapes. */
function show(text: string): string {
  const visible = JSON.stringify(clip(text)).replace(/[\u00a0\u00ad\u2000-\u206f\u3000\ufeff]/g, escapeChar);
  return text.length > maxShown ? `${visible} (cut)` : visible;
}

function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const maxShown = 160;
// Bytes of a line that are looked at for the message; a file may be one line.
const maxDecoded = 64_000;

function clip(text: string): string {
  return text.length > maxShown ? text.slice(0, maxShown) : text;
}
