import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GlobPiece, ShellWord } from './word.ts';

type GlobWord = Extract<ShellWord, { kind: 'glob' }>;

const maxEntries = 10_000;

/**
 * The paths a glob word stands for when the shell runs in `folder`, as the shell would write them; undefined when there
 * are too many to look at. A pattern that nothing matches stands for itself.
 */
export function expandGlob(word: GlobWord, folder: string): readonly string[] | undefined {
  const budget = { left: maxEntries };
  let paths = [''];
  for (const segment of segments(word.pieces)) {
    const next: string[] = [];
    for (const path of paths) {
      const names = segment.every((piece) => piece.type === 'text')
        ? [textOf(segment)]
        : list(folder, path, segment, budget);
      next.push(...names.map((name) => path + name));
    }
    if (budget.left < 0) return undefined;
    paths = next;
  }
  return paths.length === 0 ? [literally(word)] : paths;
}

function literally(word: GlobWord): string {
  return word.pieces
    .map((piece) => (piece.type === 'text' || piece.type === 'set' ? piece.text : piece.type === 'star' ? '*' : '?'))
    .join('');
}

/** Splits at slashes; each segment but the last keeps its slash as a text of its own. */
function segments(pieces: readonly GlobPiece[]): GlobPiece[][] {
  const all: GlobPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.type !== 'text') {
      all.at(-1)!.push(piece);
      continue;
    }
    for (const part of piece.text.split(/(\/+)/)) {
      if (part === '') continue;
      if (part.startsWith('/')) all.push([{ type: 'text', text: part }], []);
      else all.at(-1)!.push({ type: 'text', text: part });
    }
  }
  return all.filter((segment) => segment.length > 0);
}

function textOf(segment: readonly GlobPiece[]): string {
  return segment.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
}

function list(folder: string, path: string, segment: readonly GlobPiece[], budget: { left: number }): string[] {
  const dots = segment[0]?.type === 'text' && segment[0].text.startsWith('.');
  let names: string[];
  try {
    names = readdirSync(path.startsWith('/') ? path : join(folder, path));
  } catch {
    return [];
  }
  if (dots) names.push('.', '..');
  budget.left -= names.length;
  if (budget.left < 0) return [];
  return names.filter((name) => (dots || !name.startsWith('.')) && matchesName(segment, name));
}

/** Does a name match? A wildcard takes a dot at the start, too. Backtracks to the last star only, as a glob matcher may. */
export function matchesName(pieces: readonly GlobPiece[], name: string): boolean {
  const units = pieces.flatMap((piece): Unit[] => (piece.type === 'text' ? [...piece.text] : [piece]));
  const chars = [...name];
  let unit = 0;
  let at = 0;
  let star = -1;
  let retry = 0;
  while (at < chars.length) {
    const wanted = units[unit];
    if (typeof wanted === 'object' && wanted.type === 'star') {
      star = unit;
      retry = at;
      unit += 1;
    } else if (wanted !== undefined && fits(wanted, chars[at]!)) {
      unit += 1;
      at += 1;
    } else if (star >= 0) {
      retry += 1;
      at = retry;
      unit = star + 1;
    } else return false;
  }
  return units.slice(unit).every((rest) => typeof rest === 'object' && rest.type === 'star');
}

type Unit = string | Exclude<GlobPiece, { type: 'text' }>;

function fits(unit: Unit, char: string): boolean {
  if (typeof unit === 'string') return unit === char;
  return unit.type === 'one' || (unit.type === 'set' && inSet(unit.text, char));
}

/** A bracket expression. A class (`[:alpha:]`) is taken to hold every character: rather one file too many. */
function inSet(text: string, char: string): boolean {
  if (text.includes('[:') || text.includes('[=') || text.includes('[.') || text.includes('\\')) return true;
  const negated = text[1] === '!' || text[1] === '^';
  const body = [...text.slice(negated ? 2 : 1, -1)];
  let found = false;
  for (let at = 0; at < body.length; at += 1) {
    if (body[at + 1] === '-' && at + 2 < body.length) {
      // Ranges follow the locale's order: anything between in either case counts.
      const [from, to] = [body[at]!, body[at + 2]!];
      if (char >= from && char <= to) found = true;
      else if (/[a-z]/i.test(char) && /[a-z]/i.test(from + to)) return true;
      at += 2;
    } else if (body[at] === char) found = true;
  }
  return found !== negated;
}
