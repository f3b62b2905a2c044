import { dirname, join, resolve } from 'node:path';
import { type NamedFile, namedFiles } from './files.ts';
import type { Folders } from './folder.ts';
import type { Line } from './line.ts';
import { addFile } from './touch.ts';
import { plainText, plainWord, type ShellWord } from './word.ts';

/** A link that the line itself makes: what lies below `from` lies below `to` once it has run. Both absolute. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

const maxLinks = 64;

/**
 * Notes what `ln TARGET PLACE` will make, and gives the words for its target: a symbolic link is read from the folder it
 * lies in, a hard one from where it is made. Of those words each is read in `/`, if there are any.
 */
export function noteLink(
  line: Line,
  target: ShellWord,
  place: ShellWord,
  folders: Folders,
  symbolic: boolean,
): readonly ShellWord[] {
  const { root } = line.context;
  const places = namedFiles(root, place, folders).flatMap((file) => pathsOf(line, file));
  const text = symbolic ? plainText(target) : undefined;
  const named = text === undefined ? namedFiles(root, target, folders).flatMap((file) => pathsOf(line, file)) : [];
  const led = new Set<string>();
  for (const from of places) {
    const targets = text === undefined ? named : [resolve(dirname(from), text)];
    for (const to of targets) {
      if (text !== undefined) led.add(to);
      if (from !== to && line.links.length < maxLinks) line.links.push({ from, to });
    }
  }
  return [...led].map(plainWord);
}

function pathsOf({ context: { root } }: Line, file: NamedFile): string[] {
  if (file.where === 'inside') return [...new Set([file.path.abs, join(root.real, file.path.given)])];
  return file.where === 'outside' || file.where === 'perhaps' ? [file.abs] : [];
}

const maxFollowed = 1000;

/** Files touched by the name of such a link are touched where it will lead, too: it is not there yet to be followed. */
export function followLinks(line: Line): void {
  if (line.links.length === 0) return;
  const seen = new Set<string>();
  for (let at = 0; at < line.deeds.length; at += 1) {
    const { kind, faces, cover } = line.deeds[at]!;
    if (kind === 'execute' || kind === 'network' || cover === undefined) continue;
    for (const path of faces.flatMap(({ safe }) => safe)) {
      for (const to of ledTo(line, resolve(line.context.root.real, path))) {
        if (seen.has(`${kind} ${to}`) || seen.size >= maxFollowed) continue;
        seen.add(`${kind} ${to}`);
        addFile(line, kind, plainWord(to), ['/'], cover);
      }
    }
  }
}

function ledTo({ links }: Line, path: string): string[] {
  return links.flatMap(({ from, to }) =>
    path === from ? [to] : path.startsWith(`${from}/`) ? [join(to, path.slice(from.length))] : [],
  );
}
