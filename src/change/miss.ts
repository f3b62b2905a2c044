import { decode, encodeForSearch, nameCharacter } from '../base/codec.ts';
import { clipLine, plural, thousands } from '../base/text.ts';
import { describeDifference, makeVisible } from './difference.ts';
import { type Haystack, normalizeEnds } from './haystack.ts';
import { fold } from './lookalike.ts';
import { mistakenHelp } from './mistaken.ts';
import { findNearest, maxLines, type Nearest } from './nearest.ts';

/** What would help when text occurs more than once: where. */
export function ambiguousHelp(lines: readonly number[], count: number): string {
  const rest = count - lines.length;
  return `The places begin on lines ${lines.join(', ')}${rest > 0 ? ` and ${thousands(rest)} more` : ''}.`;
}

/** Bytes of a file that are searched for a near miss. */
const searched = 8 * 1024 * 1024;
const maxHelp = 1500;

/**
 * What would help when text is absent: the nearest place, the first difference made visible, what to send instead.
 * At most about 1,500 characters; quotes the file.
 */
export function absentHelp(hay: Haystack, oldText: string): string {
  const file = decode(hay.bytes.subarray(0, searched), hay.encoding);
  const [has, sent] = [normalizeEnds(file, hay.mac), normalizeEnds(oldText, hay.mac)];
  const mistaken = mistakenHelp(has, sent);
  if (mistaken !== '') return mistaken;
  const nearest = nearestHelp(has.split('\n', maxLines), sent.split('\n', maxLines));
  const parts = [impossible(hay, oldText), nearest].filter((part) => part !== '');
  const help = parts.join('\n');
  return help.length > maxHelp ? `${help.slice(0, maxHelp)}…` : help;
}

/** Why no file of this encoding could hold the text, if that is so. */
function impossible(hay: Haystack, oldText: string): string {
  if (oldText.includes('\ufffd') && !hay.bytes.includes('\ufffd')) {
    return 'U+FFFD in the text sent stands for bytes of the file that are no character. Choose text without it.';
  }
  if (/\r(?!\n)/.test(oldText) && !hay.mac) {
    return 'The text sent has a carriage return alone. Line ends are matched whole: send \\n for a line end, whichever the file has.';
  }
  const missing = [...new Set(oldText)].find((char) => encodeForSearch(char, hay.encoding) === undefined);
  return missing === undefined ? '' : `The file is ${hay.encoding.name}, which can't hold ${nameCharacter(missing)}.`;
}

function nearestHelp(file: readonly string[], sent: readonly string[]): string {
  const nearest = findNearest(file, sent);
  if (nearest === undefined)
    return 'Nothing in the file resembles it. Read the file again and copy the text from there.';
  const { line } = nearest;
  const at = differingLine(file, sent, line);
  if (at === undefined) return `The nearest text begins on line ${line + 1}. Read it again and copy it exactly.`;
  const where = `The nearest text ${sent.length > 1 ? 'begins' : 'is'} on line ${line + 1}${at > 0 ? `; on line ${line + at + 1}` : ':'}`;
  const { words, file: has, sent: got } = differenceOf(file, sent, line, at);
  const shown = `${where} ${words}:\n  file: ${has}\n  sent: ${got}`;
  return `${shown}\n${advice(file, sent, nearest)}`;
}

/** The first line of the text (from 0) that the file does not have at its place. */
function differingLine(file: readonly string[], sent: readonly string[], start: number): number | undefined {
  const at = sent.findIndex((line, i) => !sameInPlace(file[start + i], line, i, sent.length));
  return at < 0 ? undefined : at;
}

function sameInPlace(has: string | undefined, line: string, i: number, count: number): boolean {
  if (has === undefined) return false;
  if (count === 1) return has.includes(line);
  if (i === 0) return has.endsWith(line);
  return i === count - 1 ? has.startsWith(line) : has === line;
}

/** The two lines compared: where the text begins within a line, the line's beginning is left out. */
function differenceOf(file: readonly string[], sent: readonly string[], start: number, at: number) {
  const has = file[start + at];
  const line = sent[at]!;
  if (has === undefined) {
    return {
      words: 'the file has ended where the text sent goes on',
      file: '(end of file)',
      sent: clipLine(makeVisible(line), 160),
    };
  }
  const from = at === 0 ? beginningWithin(has, line) : 0;
  const to = at === sent.length - 1 ? has.length - endingBehind(has.slice(from), line) : has.length;
  return describeDifference(has.slice(from, to), line);
}

/** How much of the file's line stands before the text: as far as its first letters are found. */
function beginningWithin(has: string, line: string): number {
  if (/^\s/.test(line)) return 0;
  const word = /^\S{1,12}/.exec(line)?.[0] ?? '';
  for (let size = word.length; size >= 2; size -= 1) {
    const at = has.indexOf(word.slice(0, size));
    if (at >= 0) return at;
  }
  return /^\s*/.exec(has)![0].length;
}

/** How much of the file's line stands behind the text: what follows its last letters. */
function endingBehind(has: string, line: string): number {
  const word = /\S{3,12}$/.exec(line)?.[0] ?? '';
  if (word === '' || Math.abs(has.length - line.length) <= 8) return 0;
  const at = has.indexOf(word, Math.max(0, line.length - word.length - 8));
  return at < 0 ? 0 : has.length - at - word.length;
}

const copyable = 400;

/** What to send: the file's own lines as JSON when they are short and the place is the only one that looks so. */
function advice(file: readonly string[], sent: readonly string[], { line, how, more }: Nearest): string {
  if (more > 0)
    return `${plural(more, 'further place')} ${more === 1 ? 'looks' : 'look'} the same. Read the file again and copy the one meant.`;
  const exact = escapeDeceptive(JSON.stringify(file.slice(line, line + sent.length).join('\n')));
  if (how === 'look' && exact.length <= copyable) return `The file's own text there, as JSON: ${exact}`;
  return `Read from line ${line + 1} again and copy the text exactly as it stands there.`;
}

/** Characters that can't be seen or look like others are escaped, so that copying keeps them. */
function escapeDeceptive(json: string): string {
  return json.replace(/[^\0-\x7f]/gu, (char) => {
    if (fold(char) === char) return char;
    return Array.from(char, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  });
}
