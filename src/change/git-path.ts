const escapes: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** A path as git writes it in diffs: in quotes with C escapes where it holds control, quote or non-ASCII bytes. */
export function quotePath(path: string): string {
  if (!/[^ !#-[\]-~]/.test(path)) return path;
  const bytes = [...Buffer.from(path, 'utf8')];
  const quoted = bytes.map((byte) => {
    if (escapes[byte] !== undefined) return escapes[byte];
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte);
  });
  return `"${quoted.join('')}"`;
}

/** A path in a `---` or `+++` line: a name with spaces ends in a tab, so that no date is looked for in it. */
export function fileLine(path: string): string {
  const quoted = quotePath(path);
  return quoted.includes(' ') && !quoted.startsWith('"') ? `${quoted}\t` : quoted;
}
