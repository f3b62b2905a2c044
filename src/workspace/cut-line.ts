/**
 * A line of at most `max` characters with the place `at` in it, `…` where something is missing, and a note that it was
 * cut. `already` tells of parts that were not even read. Never cuts inside a character.
 */
export function cutAround(
  line: string,
  at: number,
  max: number,
  already: { readonly left: boolean; readonly right: boolean },
): string {
  const free = Math.max(0, line.length - max);
  // A third of the room goes to what comes before the place.
  const from = startOfCharacter(line, Math.min(free, Math.max(0, at - Math.floor(max / 3))));
  const to = startOfCharacter(line, Math.min(line.length, from + max));
  const left = from > 0 || already.left;
  const right = to < line.length || already.right;
  if (!left && !right) return line;
  return `${left ? '…' : ''}${line.slice(from, to)}${right ? '…' : ''} [line cut at ${max} chars]`;
}

function startOfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
