import { StringDecoder } from 'node:string_decoder';
import type { TextFilter } from './text-filter.ts';

/** Bytes in, readable text out, whatever the borders of the chunks cut apart. */
export interface TextStream {
  push(chunk: Buffer): string;
  finish(): string;
}

/** UTF-8 decoding, then terminal sequences stripped, then secrets masked. */
export function textStream(mask: TextFilter): TextStream {
  const decoder = new StringDecoder('utf8');
  const plain = plainText();
  return {
    push: (chunk) => mask.push(plain.push(decoder.write(chunk))),
    finish: () => mask.push(plain.push(decoder.end()) + plain.finish()) + mask.finish(),
  };
}

// CSI, OSC/DCS/PM/APC strings, character sets, other two-character sequences. ECMA-48.
const sequences =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[0-OQ-WYZ\\`-~]|\x9b[0-?]*[ -/]*[@-~]/g;
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]/g;
const anyControl = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
const maxSequence = 4096;

/** Removes terminal sequences and control characters other than tab, newline and carriage return. */
export function plainText(): TextFilter {
  let held = '';
  return {
    push(text) {
      if (held === '' && !anyControl.test(text)) return text;
      const whole = held + text;
      const cut = unfinishedAt(whole);
      held = whole.slice(cut);
      return strip(whole.slice(0, cut));
    },
    finish() {
      const rest = strip(held);
      held = '';
      return rest;
    },
  };
}

/** Where a sequence begins that the next chunk may complete; the text's length when there is none. */
function unfinishedAt(text: string): number {
  const last = Math.max(text.lastIndexOf('\x1b'), text.lastIndexOf('\x9b'));
  if (last < 0 || text.length - last > maxSequence) return text.length;
  // A string sequence ends in ESC \, so its own beginning may be the ESC before the last.
  const before = text[last + 1] === undefined || text[last + 1] === '\\' ? text.lastIndexOf('\x1b', last - 1) : -1;
  const from = before >= 0 && text.length - before <= maxSequence ? before : last;
  return text
    .slice(from)
    .replace(sequences, '')
    .search(/[\x1b\x9b]/) < 0
    ? text.length
    : from;
}

/** The same for a text that is whole. */
export function plainOf(text: string): string {
  const filter = plainText();
  return filter.push(text) + filter.finish();
}

function strip(text: string): string {
  return text.replace(sequences, '').replace(controls, '');
}

/** What a terminal would show of lines that redraw themselves: the text behind the last carriage return. */
export function settleLines(text: string): string {
  if (!text.includes('\r')) return text;
  return text
    .split('\n')
    .map((line) => {
      const end = line.endsWith('\r') ? line.replace(/\r+$/, '') : line;
      return end.slice(end.lastIndexOf('\r') + 1);
    })
    .join('\n');
}
