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

/** Notes what `ln TARGET PLACE` will make. A symbolic link is read from the folder it lies in, a hard one from where it is made. */
export function noteLink(line: Line, target: ShellWord, place: ShellWord, folders: Folders): void {
  const { root } = line.context;
  const places = namedFiles(root, place, folders).flatMap((file) => pathsOf(line, file));
  const text = plainText(target);
  for (const from of places) {
    const targets = namedFiles(root, target, folders).flatMap((file) => pathsOf(line, file));
    for (const to of new Set([...targets, ...(text === undefined ? [] : [resolve(dirname(from), text)])]))
      if (from !== to && line.links.length < maxLinks) line.links.push({ from, to });
  }
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
