import { ToolError } from './error.ts';

const mostAlternatives = 1000;

/**
 * Writes out `{a,b}` as the shell does, nested ones too: `x{a,b{c,d}}` → `xa xbc xbd`. Braces without a comma, open
 * braces and escaped ones stay as they are. Throws `invalid` beyond 1,000 alternatives.
 */
export function expandBraces(pattern: string): readonly string[] {
  const open = firstGroup(pattern);
  if (open === undefined) return [pattern];
  const { start, end, parts } = open;
  const tails = expandBraces(pattern.slice(end + 1));
  const results: string[] = [];
  for (const part of parts.flatMap(expandBraces)) {
    for (const tail of tails) results.push(pattern.slice(0, start) + part + tail);
    if (results.length > mostAlternatives) {
      throw new ToolError(
        'invalid',
        `The glob's braces stand for more than ${mostAlternatives} alternatives. Use fewer braces or several calls.`,
      );
    }
  }
  return results;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
}

/** The first pair of braces with a comma of its own. */
function firstGroup(pattern: string): Group | undefined {
  for (let start = 0; start < pattern.length; start += 1) {
    if (pattern[start] === '\\') start += 1;
    else if (pattern[start] === '{') {
      const group = groupAt(pattern, start);
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

function groupAt(pattern: string, start: number): Group | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start + 1; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === ',' && depth === 0) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth >= 0) continue;
      parts.push(pattern.slice(from, at));
      return parts.length > 1 ? { start, end: at, parts } : undefined;
    }
  }
  return undefined;
}
