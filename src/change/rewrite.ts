import { decode, encode } from '../base/codec.ts';
import { detectEncoding, isBinary, utf8 } from '../base/encoding.ts';
import { lineEnds } from '../base/eol.ts';

export interface Rewritten {
  readonly bytes: Buffer;
  /** What the writer should know: an encoding or line ends that were kept. One sentence each. */
  readonly notes: readonly string[];
}

/**
 * The bytes of a whole-file write. An existing file keeps its encoding and byte-order mark, and its CRLF when every line
 * of it ends so and the new content has none; otherwise content is written as given, in UTF-8.
 *
 * Throws `conflict`, naming the character, for content that the encoding can't hold.
 */
export function rewriteText(before: Buffer | undefined, content: string): Rewritten {
  if (before === undefined || before.length === 0 || isBinary(before))
    return { bytes: encode(content, utf8), notes: [] };
  const encoding = detectEncoding(before);
  const notes: string[] = [];
  const ascii = !/[^\0-\x7f]/.test(content);
  if (encoding.name !== 'UTF-8' && !(ascii && !encoding.name.startsWith('UTF-')))
    notes.push(`The file stays ${encoding.name}.`);
  const marked = content.startsWith('\ufeff');
  const body = encoding.bom.length > 0 && marked ? content.slice(1) : content;
  const keepCrlf = lineEnds(before, encoding).uniform === '\r\n' && body.includes('\n') && !body.includes('\r');
  if (keepCrlf) notes.push('The file keeps its CRLF line ends.');
  // Characters that the file already has are proved, also where the encoding is a guess.
  const known = encoding.certain || ascii ? '' : decode(before, encoding);
  const encoded = encode(keepCrlf ? body.replaceAll('\n', '\r\n') : body, encoding, known);
  return { bytes: encoding.bom.length > 0 ? Buffer.concat([encoding.bom, encoded]) : encoded, notes };
}
