/** Looking at single lines of a patch. Lines are what lies between line feeds; a CR belongs to its line. */

export function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** A piece of the patch for a message, in quotes and cut to a bearable length. */
export function quote(text: string, most = 80): string {
  return JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text);
}

export function isBlank(line: string): boolean {
  return line === '' || line === '\r';
}

/** True when a `---` line with its `+++` line starts here. */
export function isFileHeader(lines: readonly string[], at: number): boolean {
  return lines[at]!.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ');
}

/** True at the `-- ` and version with which a patch sent by mail ends. */
export function isSignature(lines: readonly string[], at: number): boolean {
  const line = withoutCr(lines[at]!);
  return (line === '-- ' || line === '--') && /^\d+\.\d+/.test(lines[at + 1]?.slice(0, 20) ?? '');
}
