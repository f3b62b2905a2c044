import { decode, encode, encodeForSearch } from '../../base/codec.ts';
import { detectEncoding, isBinary, unitWidth } from '../../base/encoding.ts';
import { ToolError } from '../../base/error.ts';
import { type FileLines, fileLines } from './file-lines.ts';

/** A file's text as a patch meets it: lines of bytes, and the way from a patch's text to such bytes. */
export interface PatchedText {
  readonly lines: FileLines;
  /** The bytes of text to look for; undefined when the file's encoding can't hold it. */
  find(text: string): Buffer | undefined;
  /**
   * The bytes of new text. Throws `conflict` naming a character that the file's encoding can't hold, or whose bytes are
   * not certain because the encoding is a guess and `known`, text that was found in the file, does not have it.
   */
  encode(text: string, known: string): Buffer;
  decode(bytes: Buffer): string;
}

/** Throws `conflict` for a binary file. */
export function openText(bytes: Buffer): PatchedText {
  if (isBinary(bytes)) throw new ToolError('conflict', 'it is a binary file; only text can be patched');
  const encoding = detectEncoding(bytes);
  const units = { width: unitWidth(encoding), bigEndian: encoding.name.endsWith('BE'), bom: encoding.bom.length };
  return {
    lines: fileLines(bytes, units),
    find: (text) => encodeForSearch(text, encoding),
    encode: (text, known) => encode(text, encoding, known),
    decode: (part) => decode(part, encoding),
  };
}
