import { decode } from './codec.ts';
import { detectEncoding, type Encoding, unitWidth } from './encoding.ts';

export type Eol = '\n' | '\r\n' | '\r';

/** How the lines of a file end. */
export interface LineEnds {
  readonly lf: number;
  readonly crlf: number;
  /** Carriage returns that no line feed follows: content, or the ends of a classic Mac file when there is nothing else. */
  readonly cr: number;
  /** The most frequent end; undefined when the file is a single line. */
  readonly dominant: Eol | undefined;
  /** The end of every line, when all lines end alike and at least one does. */
  readonly uniform: Eol | undefined;
  /** Whether the last line ends like the others, in a line end. True for an empty file. */
  readonly final: boolean;
}

/** Counts the line ends of a whole file. */
export function lineEnds(bytes: Buffer, encoding: Encoding = detectEncoding(bytes)): LineEnds {
  const text = unitWidth(encoding) === 1 ? bytes : Buffer.from(decode(bytes, encoding), 'utf8');
  const { lf, crlf } = countFeeds(text);
  const cr = countByte(text, 0x0d) - crlf;
  const last = text.at(-1);
  const dominant = dominantOf(lf, crlf, cr);
  const mac = dominant === '\r';
  return {
    lf,
    crlf,
    cr,
    dominant,
    uniform: [lf, crlf, cr].filter((count) => count > 0).length === 1 ? dominant : undefined,
    final: last === undefined || last === 0x0a || (mac && last === 0x0d),
  };
}

/** Line feeds alone and line feeds behind a carriage return. */
function countFeeds(bytes: Buffer): { lf: number; crlf: number } {
  let lf = 0;
  let crlf = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at - 1] === 0x0d) crlf += 1;
    else lf += 1;
  }
  return { lf, crlf };
}

function countByte(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}

function dominantOf(lf: number, crlf: number, cr: number): Eol | undefined {
  if (lf + crlf === 0) return cr > 0 ? '\r' : undefined;
  return crlf > lf ? '\r\n' : '\n';
}
