/** Any text without a blank: what a file name that a wildcard finds may be. */
export const oneWord = '\u0001';

const longest = 2000;

/**
 * Is there a text that a rule's pattern matches and that a command with holes may turn out to be? In the command `*` is a
 * hole of any length. Time is pattern × command; what is too long for that may be anything.
 */
export function overlaps(pattern: string, command: string): boolean {
  if (pattern.length > longest || command.length > longest) return true;
  const ended = pattern.endsWith(' *') && reach(pattern.slice(0, -2), command);
  return ended || reach(pattern, command);
}

/** Row by row over the pattern: after which beginnings of the command can it have come this far? */
function reach(pattern: string, command: string): boolean {
  let row = holesOnly(command);
  for (const wanted of pattern) row = step(wanted, row, command);
  return row[command.length]!;
}

function holesOnly(command: string): boolean[] {
  const row = [true];
  for (let at = 0; at < command.length; at += 1) row.push(row[at]! && isHole(command[at]!));
  return row;
}

function step(wanted: string, before: readonly boolean[], command: string): boolean[] {
  const any = wanted === '*';
  const row = [any && before[0]!];
  for (let at = 1; at <= command.length; at += 1) {
    const given = command[at - 1]!;
    const skipped = isHole(given) && row[at - 1]!;
    if (any) row.push(before[at]! || row[at - 1]!);
    else if (isHole(given)) row.push(skipped || (takes(given, wanted) && (before[at]! || before[at - 1]!)));
    else row.push((wanted === '?' || wanted === given) && before[at - 1]!);
  }
  return row;
}

function takes(hole: string, wanted: string): boolean {
  return hole === '*' || wanted !== ' ';
}

function isHole(char: string): boolean {
  return char === '*' || char === oneWord;
}
