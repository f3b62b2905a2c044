/** What is kept of one output stream: its beginning and, when it was long, its end; masked, without terminal sequences. */
export interface Captured {
  readonly head: string;
  /** Empty when `head` is the whole. */
  readonly tail: string;
  /** Bytes the program wrote. */
  readonly bytes: number;
  /** What is neither in `head` nor in `tail`: characters where all of it was decoded, otherwise bytes. */
  readonly lost: number;
  readonly lostIn: 'chars' | 'bytes';
}

export const nothing: Captured = { head: '', tail: '', bytes: 0, lost: 0, lostIn: 'chars' };

/** A text within `limit` characters: the whole, or head and tail with a note of what is left out between. */
export interface Excerpt {
  readonly text: string;
  readonly cut: boolean;
}

/** @param hint said in the note, e.g. where the whole can be read. */
export function excerpt(captured: Captured, limit: number, hint = ''): Excerpt {
  const { head, tail, lost, lostIn } = captured;
  if (tail === '' && lost === 0 && head.length <= limit) return { text: head, cut: false };
  const half = Math.max(0, Math.floor((limit - 120) / 2));
  const shownHead = beginning(head, half);
  const shownTail = tail === '' ? ending(head.slice(shownHead.length), half) : ending(tail, half);
  const chars = head.length + tail.length - shownHead.length - shownTail.length;
  const note = `... [truncated ${grouped(lost + chars)} ${lostIn}]${hint}`;
  return { text: `${shownHead}\n${note}\n${shownTail}`, cut: true };
}

/** `text` up to `limit` characters, ending at a line's end when there is one near. */
function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const line = text.lastIndexOf('\n', limit);
  if (line > limit * 0.8) return text.slice(0, line);
  return text.slice(0, isLowSurrogate(text, limit) ? limit - 1 : limit);
}

function ending(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const from = text.length - limit;
  const line = text.indexOf('\n', from);
  if (line >= 0 && line - from < limit * 0.2) return text.slice(line + 1);
  return text.slice(isLowSurrogate(text, from) ? from + 1 : from);
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
