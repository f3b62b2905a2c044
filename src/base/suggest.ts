/**
 * What was probably meant: the closest of the valid names, when it is close enough to be worth saying.
 * Distance: Levenshtein with adjacent transpositions, at most a third of the longer name.
 */
export function suggest(wrong: string, valid: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of valid) {
    const distance = editDistance(wrong.toLowerCase().slice(0, 64), name.toLowerCase());
    if (distance < least && distance <= Math.max(1, Math.floor(Math.max(wrong.length, name.length) / 3))) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/** `unknown dialect "shrio". Did you mean "shiro"? Valid: native, …` */
export function unknownName(kind: string, wrong: string, valid: readonly string[]): string {
  const meant = suggest(wrong, valid);
  return `unknown ${kind} "${wrong}".${meant === undefined ? '' : ` Did you mean "${meant}"?`} Valid: ${valid.join(', ')}.`;
}

function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
