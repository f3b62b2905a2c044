import { type FileLines, fileLines } from './patch-file-lines.ts';

/** A file's text as a patch meets it: lines of bytes, and the way from a patch's text to such bytes. */
export interface PatchedText {
  readonly lines: FileLines;
  /** The bytes of text to look for; undefined when the file can't hold it. */
  find(text: string): Buffer | undefined;
  /** The bytes of new text. Throws `conflict` naming a character the file's encoding can't hold. */
  encode(text: string): Buffer;
  decode(bytes: Buffer): string;
}

const utf8Bom = Buffer.from([0xef, 0xbb, 0xbf]);

export function openText(bytes: Buffer): PatchedText {
  const bom = bytes.subarray(0, 3).equals(utf8Bom) ? 3 : 0;
  return {
    lines: fileLines(bytes, { width: 1, bigEndian: false, bom }),
    find: (text) => Buffer.from(text),
    encode: (text) => Buffer.from(text),
    decode: (part) => part.toString('utf8'),
  };
}
