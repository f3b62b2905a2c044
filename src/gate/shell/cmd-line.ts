import type { Deed } from '../deed.ts';

/** `cmd` has no grammar here: every piece of the line is held against the rows that refuse, and the line is asked. */
export function cmdDeed(text: string): Deed {
  const pieces = text.split(/[&|<>()\r\n]+/).map((piece) => piece.trim().replace(/^@/, ''));
  const loose = pieces.flatMap((piece) => [
    piece,
    piece
      .replaceAll(/["^]/g, '')
      .replace(/^\S*[\\/]/, '')
      .replace(/^(\S+)\.(?:exe|cmd|bat|com)\b/i, '$1'),
  ]);
  return {
    kind: 'execute',
    subject: text,
    faces: [{ safe: [], loose: [text, ...loose.filter(Boolean)] }],
    doubt: 'the grammar of cmd is not analysed',
  };
}
