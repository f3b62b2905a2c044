import { inNature, type Line, type PlainCommand } from './line.ts';
import { plainText, type ShellWord } from './word.ts';

/** Adds the deed of reaching a host. */
export function addNetwork(line: Line, command: PlainCommand, host: string): void {
  const cover = inNature(command);
  line.deeds.push({ kind: 'network', subject: host, faces: [{ safe: [host], loose: [] }], cover });
}

/** The host of the first argument that looks like an address, or `*`. */
export function hostOf(args: readonly ShellWord[]): string {
  for (const word of args) {
    const text = plainText(word) ?? '';
    const host =
      /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(text)?.[1] ??
      /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+)(?::|$|\/)/.exec(text)?.[1];
    if (host !== undefined) return host.toLowerCase();
  }
  return '*';
}
