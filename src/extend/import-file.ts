import { pathToFileURL } from 'node:url';

/** Loads a module by its path. In a file of its own, since what imports by a name made at run time can't be kept compiled. */
export function importFile(file: string): Promise<unknown> {
  return import(pathToFileURL(file).href);
}
