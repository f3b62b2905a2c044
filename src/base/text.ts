/** `1: text` per line, counted from `first`. */
export function numberLines(lines: readonly string[], first = 1): string {
  return lines.map((line, at) => `${first + at}: ${line}`).join('\n');
}

/**
 * Cuts text after `max` characters (UTF-16 units, never within a character) and says how many are missing.
 *
 * @param next one sentence on how to get at the rest, put behind the note.
 */
export function capText(text: string, max = 30_000, next = ''): string {
  if (text.length <= max) return text;
  const end = wholeEnd(text, max);
  const note = `... [truncated ${thousands(text.length - end)} chars]`;
  return `${text.slice(0, end)}\n${note}${next === '' ? '' : ` ${next}`}`;
}

/** Cuts a long line after `max` characters with a mark that can't be taken for the line's own text. */
export function clipLine(line: string, max: number): string {
  if (line.length <= max) return line;
  const end = wholeEnd(line, max);
  return `${line.slice(0, end)}... [${thousands(line.length - end)} more chars]`;
}

/**
 * Cuts text after `max` bytes of UTF-8 and puts `note` on a line of its own. The cut falls behind the last whole line
 * that fits; a first line that is longer than everything allowed is cut behind its last whole character.
 */
export function capBytes(text: string, max: number, note: string): string {
  // A string is never longer in characters than in bytes, and at most three bytes a character.
  if (text.length * 3 <= max || Buffer.byteLength(text) <= max) return text;
  const kept = wholeUtf8(Buffer.from(text.slice(0, max), 'utf8'), max).toString('utf8');
  const newline = kept.lastIndexOf('\n');
  return newline < 0 ? `${kept}\n${note}` : `${kept.slice(0, newline + 1)}${note}`;
}

/** The first `max` bytes of UTF-8, without a character that is cut in two. */
export function wholeUtf8(bytes: Buffer, max: number): Buffer {
  if (bytes.length <= max) return bytes;
  let end = max;
  while (end > max - 4 && end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** `41,233`, whatever the machine's language. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 line`, `3 lines`. */
export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The tail of a window's text: which lines were shown and how to read on. Empty when nothing is left. */
export function continueNote(first: number, shown: number, total: number | undefined): string {
  const last = first + shown - 1;
  if (total !== undefined && last >= total) return '';
  const of = total === undefined ? '' : ` of ${thousands(total)}`;
  return `... [lines ${first}-${last}${of}; continue with offset ${last + 1}]`;
}

/** A place to cut `text`: `max`, or one less where that would cut a surrogate pair. */
export function wholeEnd(text: string, max: number): number {
  const before = text.charCodeAt(max - 1);
  return before >= 0xd800 && before <= 0xdbff ? max - 1 : max;
}
