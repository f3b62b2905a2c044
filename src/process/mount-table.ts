import { readFileSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** The mounts that this process sees: /proc/self/mountinfo, proc(5). Empty where there is none. */
export function mountTable(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

/** A mount point inside `root`, by field 5 of the table: a view would show what lies underneath it. */
export function mountBelow(root: string, table: string): string | undefined {
  const points = table.split('\n').flatMap((line) => line.split(' ')[4] ?? []);
  return points.map(mountPoint).find((point) => point !== root && isWithin(point, root));
}

/** Blanks, tabs, line feeds and backslashes are written as `\` and three octal digits. */
export function mountPoint(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
