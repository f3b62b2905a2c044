/** The part of a patch that is about one file. */
export interface Section {
  /** The file's name after the change, relative to the workspace; undefined when it can't be told. */
  readonly name?: string;
  readonly text: string;
}

/** Takes git's patch apart. Headers that nothing follows (a file was touched, not changed) are dropped. */
export function splitSections(patch: string): readonly Section[] {
  const starts: number[] = [];
  for (let at = patch.startsWith('diff --git ') ? 0 : nextStart(patch, 0); at >= 0; at = nextStart(patch, at)) {
    starts.push(at);
  }
  const preamble = patch.slice(0, starts[0] ?? patch.length);
  const sections = starts
    .map((start, at) => patch.slice(start, starts[at + 1] ?? patch.length))
    .filter((text) => text.indexOf('\n') < text.length - 1)
    .map((text) => ({ text, ...nameOf(text) }));
  return preamble === '' ? sections : [{ text: preamble }, ...sections];
}

/** Lines inside hunks begin with a sign, so this text at a line's start is a header. */
function nextStart(patch: string, from: number): number {
  const at = patch.indexOf('\ndiff --git ', from);
  return at < 0 ? -1 : at + 1;
}

function nameOf(section: string): { name?: string } {
  const hunk = section.indexOf('\n@@');
  const header = section.slice(0, hunk < 0 ? section.length : hunk).split('\n');
  const after = headerValue(header, '+++ ');
  if (after !== undefined && after !== '/dev/null') return prefixed(after, 'b/');
  const before = headerValue(header, '--- ');
  if (before !== undefined && before !== '/dev/null') return prefixed(before, 'a/');
  const to = headerValue(header, 'rename to ') ?? headerValue(header, 'copy to ');
  return to === undefined ? sameName(header[0]!) : { name: to };
}

function headerValue(header: readonly string[], key: string): string | undefined {
  const line = header.find((one) => one.startsWith(key));
  // git puts a tab behind a name that holds a blank.
  return line === undefined ? undefined : unquote(line.slice(key.length).replace(/\t$/, ''));
}

function prefixed(text: string, prefix: string): { name?: string } {
  return text.startsWith(prefix) ? { name: text.slice(prefix.length) } : {};
}

/** `diff --git a/NAME b/NAME`, where both are the same: a binary or empty file, or a change of mode. */
function sameName(line: string): { name?: string } {
  const rest = line.slice('diff --git '.length);
  const half = (rest.length - 1) / 2;
  const [before, after] = [unquote(rest.slice(0, half)), unquote(rest.slice(half + 1))];
  return before.slice(2) === after.slice(2) ? { name: after.slice(2) } : {};
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Undoes git's quoting of names: C escapes and octal bytes. */
function unquote(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  const bytes: Buffer[] = [];
  for (const [, octal, short, plain] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    else bytes.push(short === undefined ? Buffer.from(plain!) : Buffer.from([escapes[short] ?? short.charCodeAt(0)]));
  }
  return Buffer.concat(bytes).toString();
}
