import { type Cover, nameFace, pathDeed } from '../deed.ts';
import type { NamedFile } from './files.ts';
import type { Line } from './line.ts';

/** Adds the deed of touching one file. */
export function addNamed(line: Line, kind: 'read' | 'write' | 'delete', file: NamedFile, cover: Cover): void {
  if (file.where === 'device') return;
  if (file.where === 'inside') {
    line.deeds.push({ ...pathDeed(kind, file.path), cover });
  } else if (file.where === 'perhaps') {
    line.deeds.push({ kind, subject: file.abs, faces: [nameFace(file.abs)], cover });
  } else if (file.where === 'outside') {
    const doubt = `${file.abs} is outside the workspace`;
    line.deeds.push({ kind, subject: file.abs, faces: [nameFace(file.abs)], cover, doubt });
  } else {
    line.deeds.push({
      kind,
      subject: file.raw,
      faces: [],
      cover,
      doubt: `which file ${file.raw} is, is known only when it runs`,
    });
  }
}
