import { ToolError } from '../../base/error.ts';
import { openText, type PatchedText } from './codec.ts';
import type { FileLines } from './file-lines.ts';
import { describeMiss, nameHunk } from './miss.ts';
import { type Eol, type Hunk, oldLines } from './model.ts';
import { createPlacer } from './place.ts';
import { showsBom, wantedOf } from './wanted.ts';

/**
 * Applies hunks to a file's bytes. Bytes that no hunk names stay as they are: context lines are copied from the file,
 * not from the patch.
 *
 * @throws ToolError `conflict` that says which hunk does not match and why
 */
export function spliceHunks(bytes: Buffer, hunks: readonly Hunk[]): Buffer {
  const text = openText(bytes);
  const { lines } = text;
  const placer = createPlacer(text);
  const literal = hunks.some((hunk) => hunk.lines.some(({ eol }) => eol === '\r\n'));
  const pieces: Buffer[] = [];
  let [done, drift, bom] = [0, 0, lines.bytes.subarray(0, lines.bom)];
  for (const [at, hunk] of hunks.entries()) {
    const wanted = wantedOf(hunk, text);
    if (drift !== 0 && wanted.olds.length === 0) throw blind(hunk, at);
    const found = placer.place(wanted, done, drift);
    if (found.type !== 'at') throw new ToolError('conflict', describeMiss(text, hunk, at, wanted, found, done));
    drift = wanted.stated === undefined ? drift : found.index - wanted.stated;
    if (found.index === 0 && showsBom(hunk, text)) bom = none;
    pieces.push(lines.bytes.subarray(lines.start(done), lines.start(found.index)));
    pieces.push(...replacement(text, hunk, found.index, literal));
    done = found.index + wanted.olds.length;
  }
  pieces.push(lines.bytes.subarray(lines.start(done), lines.start(lines.count)));
  const rest = Buffer.concat(pieces);
  // The byte order mark stays in front, unless a hunk showed it as text and so said itself where it goes.
  return bom.length === 0 || rest.subarray(0, bom.length).equals(bom) ? rest : Buffer.concat([bom, rest]);
}

const none = Buffer.alloc(0);

/** The lines that stand where the hunk's old lines stood. */
function replacement(text: PatchedText, hunk: Hunk, index: number, literal: boolean): Buffer[] {
  const { lines } = text;
  const ends = endsOf(lines, hunk, index, literal);
  const startOf = (line: number) => (line === 0 && showsBom(hunk, text) ? 0 : lines.start(line));
  const known = oldLines(hunk)
    .map((line) => line.text)
    .join('');
  const pieces: Buffer[] = [];
  let [at, end] = [index, endNear(lines, index, oldLines(hunk).length)];
  for (const line of hunk.lines) {
    if (line.kind === 'add') {
      const eol = line.eol === '' ? '' : ends === 'written' ? line.eol : end;
      pieces.push(text.encode(line.text + eol, known));
      continue;
    }
    if (line.kind === 'context') pieces.push(lines.bytes.subarray(startOf(at), lines.start(at + 1)));
    end = lines.eol(at) || end;
    at += 1;
  }
  return pieces;
}

/**
 * How new lines end: as written in the patch where the file shows that the patch means its line ends, otherwise like
 * their neighbours in the file.
 */
function endsOf(lines: FileLines, hunk: Hunk, index: number, literal: boolean): 'written' | 'neighbours' {
  const ended = oldLines(hunk).map(({ eol }, at) => [eol, lines.eol(index + at)] as const);
  const telling = ended.filter(([eol]) => eol !== '');
  if (telling.length === 0) return literal ? 'written' : 'neighbours';
  return telling.every(([wanted, there]) => wanted === there) ? 'written' : 'neighbours';
}

/** The end of the line before, else of the nearest line behind that has one. */
function endNear(lines: FileLines, index: number, olds: number): Eol {
  for (let at = Math.max(0, index - 1); at <= Math.min(index + olds, lines.count - 1); at += 1) {
    if (lines.eol(at) !== '') return lines.eol(at);
  }
  return '\n';
}

function blind(hunk: Hunk, at: number): ToolError {
  return new ToolError(
    'conflict',
    `${nameHunk(hunk, at)} has no context, and a hunk before it was found on another line than stated, so its place is not certain. Give it context lines`,
  );
}
