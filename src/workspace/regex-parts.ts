/** A character of a pattern, or an escape. */
export interface RegexPart {
  readonly text: string;
  /** The character it stands for, wherever it is; undefined for other escapes, in a class and in a group's name. */
  readonly stands: string | undefined;
}

/** Takes a regular expression apart, as far as telling characters from what surrounds them needs it. */
export function regexParts(pattern: string): RegexPart[] {
  const parts: RegexPart[] = [];
  let inside: 'class' | 'name' | undefined;
  for (let at = 0; at < pattern.length; at += parts.at(-1)!.text.length) {
    const text = partAt(pattern, at);
    if (text.length === 1 && inside === undefined) inside = opened(pattern, at);
    else if (text === (inside === 'class' ? ']' : '>')) inside = undefined;
    parts.push({ text, stands: inside === undefined ? standsFor(text) : undefined });
  }
  return parts;
}

const escaped = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[xuU]\{[0-9a-fA-F]{1,8}\}|.|$)/suy;

function partAt(pattern: string, at: number): string {
  escaped.lastIndex = at;
  return escaped.exec(pattern)?.[0] ?? String.fromCodePoint(pattern.codePointAt(at)!);
}

function opened(pattern: string, at: number): 'class' | 'name' | undefined {
  if (pattern[at] === '[') return 'class';
  return pattern[at] === '<' && /\(\?P?$/.test(pattern.slice(Math.max(0, at - 3), at)) ? 'name' : undefined;
}

function standsFor(text: string): string | undefined {
  if (!text.startsWith('\\')) return text;
  if (text === '\\n') return '\n';
  const code = Number.parseInt(/^\\[xuU]\{?([0-9a-fA-F]+)/.exec(text)?.[1] ?? '', 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
