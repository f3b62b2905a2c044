import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const found = new Map<string, string | undefined>();

/**
 * The absolute path of a program on the PATH, or undefined. Only absolute PATH entries count: an empty one or `.`
 * would let the folder that is worked on supply its own `git`.
 */
export function findProgram(name: string, path = process.env.PATH ?? ''): string | undefined {
  const key = `${name}\0${path}`;
  if (!found.has(key)) found.set(key, search(name, path));
  return found.get(key);
}

function search(name: string, path: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
