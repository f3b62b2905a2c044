/**
 * What to write instead of a construct that the engine refuses.
 *
 * @param reason the engine's own words
 * @param blamed the pattern from the refused place on
 */
export function regexAdvice(reason: string, blamed: string): string | undefined {
  return advices.find(([sign, start]) => reason.includes(sign) && blamed.startsWith(start))?.[2];
}

const written = 'Write the repeated text out, or match more widely and sort out the lines you get.';
const recursion = 'Recursion does not exist: write out as many levels as you need.';
const brace = 'Escape a literal brace as \\{.';
const backslash = 'Write a literal backslash as \\\\.';

/** What the reason holds, what the blamed text begins with, the advice; the first that fits counts. */
const advices: readonly (readonly [reason: string, blamed: string, advice: string])[] = [
  [
    'look-around',
    '',
    'Match the text itself without (?=…), (?!…), (?<=…) or (?<!…), and sort out the lines you get, or search twice.',
  ],
  ['backreferences', '\\0', 'No text holds a NUL byte; leave it out.'],
  ['backreferences', '', written],
  ['unrecognized flag', 'P=', `Backreferences are not supported. ${written}`],
  ['unrecognized flag', 'P>', recursion],
  ['unrecognized flag', '&', recursion],
  ...[...'0123456789'].map((digit) => ['unrecognized flag', digit, recursion] as const),
  ['unrecognized flag', '>', 'Matching never goes back, so atomic groups are not needed: write (?:…).'],
  ['unrecognized flag', '#', 'Leave the comment out.'],
  ['unrecognized flag', '(', 'Conditions do not exist: write the alternatives out with |.'],
  ['unrecognized flag', '', 'Groups are (…), (?:…) and (?<name>…), flags as in (?i) are i, m, s, x, u, U and R.'],
  ['unrecognized escape', '\\k', `Backreferences are not supported. ${written}`],
  ['unrecognized escape', '\\g', `Backreferences are not supported. ${written}`],
  ['unrecognized escape', '\\Z', 'Write $ for the end of a line.'],
  ['unrecognized escape', '\\G', 'Leave it out; lines are searched one by one.'],
  ['unrecognized escape', '\\K', 'Leave it out; whole lines are shown.'],
  ['unrecognized escape', '\\Q', 'Escape each special character with a backslash.'],
  ['unrecognized escape', '\\E', 'Escape each special character with a backslash.'],
  ['unrecognized escape', '\\h', 'Write [ \\t].'],
  ['unrecognized escape', '\\R', 'Write $ for the end of a line.'],
  ['unrecognized escape', '\\e', 'Write \\x1b.'],
  ['unrecognized escape', '\\c', 'Write a control character as \\x and two digits.'],
  ['unrecognized escape', '', backslash],
  ['hexadecimal', '', backslash],
  ['literal "\\n"', '', 'Patterns are matched line by line: search for a part that lies on one line.'],
  ['literal "\\r"', '', 'A line is searched without its end, CRLF or LF: write $ for it.'],
  ['unclosed group', '', 'Escape a literal parenthesis as \\(.'],
  ['invalid capture group', '', 'Escape a literal parenthesis as \\(.'],
  ['unopened group', '', 'Escape a literal parenthesis as \\).'],
  ['unclosed character class', '', 'Escape a literal bracket as \\[.'],
  ['character class range', '', 'Write a literal - as the last of the class.'],
  ['repetition operator missing expression', '{', brace],
  ['repetition operator missing expression', '', 'Escape a literal *, + or ? with a backslash.'],
  ['repetition quantifier', '', brace],
  ['counted repetition', '', brace],
  ['repetition count', '', 'Write the smaller count first.'],
  ['size limit', '', 'Use smaller repetition counts.'],
];
