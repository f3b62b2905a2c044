import { createHash } from 'node:crypto';

/** What every model provider takes as a tool's name. */
const maxName = 64;
const maxServer = 24;

/**
 * Gives each server a short legal name. It never holds two underscores in a row, so `mcp__server__tool` can be read in
 * one way only.
 */
export function nameServers(names: readonly string[]): ReadonlyMap<string, string> {
  return legalNames(names, maxServer, (name) => name.replace(/[^a-zA-Z0-9-]+/g, '_').replace(/^_+|_+$/g, ''));
}

/** The names a server's tools are offered under, by their own names. */
export function nameTools(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const prefix = `mcp__${server}__`;
  const names = legalNames(tools, maxName - prefix.length, (name) => name.replace(/[^a-zA-Z0-9_-]/g, '_'));
  return new Map([...names].map(([tool, name]) => [tool, prefix + name]));
}

/**
 * Legal and different names, the same whatever order the originals come in: what is legal keeps its name; what had to be
 * changed and then looks like another, or is too long, gets some letters of its digest.
 */
function legalNames(
  originals: readonly string[],
  max: number,
  clean: (name: string) => string,
): ReadonlyMap<string, string> {
  const different = [...new Set(originals)].sort();
  const kept = new Set(different.filter((name) => name !== '' && name.length <= max && clean(name) === name));
  const cleaned = different.filter((name) => !kept.has(name));
  const count = (name: string) => cleaned.filter((other) => clean(other) === name).length;
  const names = new Map([...kept].map((name) => [name, name]));
  const used = new Set(kept);
  for (const name of cleaned) {
    const plain = clean(name);
    const fits = plain !== '' && plain.length <= max && !used.has(plain) && count(plain) === 1;
    const given = fits ? plain : marked(name, plain, max, used);
    used.add(given);
    names.set(name, given);
  }
  return names;
}

function marked(original: string, plain: string, max: number, used: ReadonlySet<string>): string {
  for (let round = 0; ; round += 1) {
    const mark = createHash('sha256').update(`${round}:${original}`).digest('hex').slice(0, 8);
    const start = plain.slice(0, max - mark.length - 1).replace(/_+$/, '');
    const name = start === '' ? mark : `${start}_${mark}`;
    if (!used.has(name)) return name;
  }
}
