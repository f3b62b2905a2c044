import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeDifference, makeVisible } from '../../src/change/difference.ts';
import { replaceText } from '../../src/change/replace.ts';
import { runs } from '../support/runs.ts';

const help = (before: string | Buffer, oldText: string) => {
  const result = replaceText(Buffer.from(before), [{ oldText, newText: 'a replacement' }]);
  return result.ok ? undefined : result.help.split('\n');
};

test('a tab where spaces were sent is made visible, and the file’s own text given (B013)', () => {
  expect(help('build:\n\tgo build ./...\n', '    go build ./...')).toEqual([
    'The nearest text is on line 2: the file has a tab where the text sent has 4 spaces:',
    '  file: →go build ./...',
    '  sent: ····go build ./...',
    'The file\'s own text there, as JSON: "\\tgo build ./..."',
  ]);
});

test('curly quotes are named with their code points (B009)', () => {
  expect(help('const a = 1;   \n// “quoted”\nconst name = "Ann";\n', 'const name = “Ann”;')).toEqual([
    'The nearest text is on line 3: the file has """ (U+0022) where the text sent has "“" (U+201C):',
    '  file: const name = "Ann";',
    '  sent: const name = “Ann”;',
    'The file\'s own text there, as JSON: "const name = \\"Ann\\";"',
  ]);
});

test('text from two distant places is told where it stops being the file’s (B010)', () => {
  const css = '.bar {\n  gap: 3px;\n}\n.keep1 { color: red }\n/* footer */\n';
  expect(help(css, '  gap: 3px;\n}\n/* footer */')).toEqual([
    'The nearest text begins on line 2; on line 4 the file has ".keep1" where the text sent has "/*":',
    '  file: .keep1 { color: red }',
    '  sent: /* footer */',
    'Read from line 2 again and copy the text exactly as it stands there.',
  ]);
});

test('a line in the middle that differs is shown (B011)', () => {
  const js = 'function calc() {\n  const y = 99;\n  return y;\n}\n';
  expect(help(js, 'function calc() {\n  const y = 2;\n  return y;\n}')).toEqual([
    'The nearest text begins on line 1; on line 2 the file has "99;" where the text sent has "2;":',
    '  file: ··const y = 99;',
    '  sent: ··const y = 2;',
    'Read from line 1 again and copy the text exactly as it stands there.',
  ]);
});

test.each([
  [
    'no-break space',
    'foo\u00a0bar\n',
    'foo bar',
    'the file has U+00A0 where the text sent has a space',
    '"foo\\u00a0bar"',
  ],
  [
    'zero-width space',
    'foo\u200bbar\n',
    'foobar',
    'the file has U+200B where the text sent has "b" (U+0062)',
    '"foo\\u200bbar"',
  ],
  [
    'Cyrillic letter',
    'p\u0430th = 1\n',
    'path = 1',
    'the file has "\u0430" (U+0430) where the text sent has "a" (U+0061)',
    '"p\\u0430th = 1"',
  ],
  ['dash', 'a – b\n', 'a - b', 'the file has "–" (U+2013) where the text sent has "-" (U+002D)', '"a \\u2013 b"'],
  [
    'trailing blanks',
    'const a\t \nconst b\n',
    'const a\nconst b',
    'the file has a tab and a space where the text sent has no white space',
    '"const a\\t \\nconst b"',
  ],
])('made visible: %s', (_name, before, oldText, words, exact) => {
  const lines = help(before, oldText);
  expect(lines?.[0]).toContain(words);
  expect(lines?.at(-1)).toBe(`The file's own text there, as JSON: ${exact}`);
});

test('several places that look the same are counted, not chosen from', () => {
  expect(help('dup  x\nq\ndup  x\n', 'dup x')?.at(-1)).toBe(
    '1 further place looks the same. Read the file again and copy the one meant.',
  );
});

test('a difference far inside a long line is shown with its surroundings only', () => {
  const lines = help(
    `${'x'.repeat(5000)}function foo(a,b){return a+b}${'y'.repeat(5000)}`,
    'function foo(a,b){return a-b}',
  );
  expect(lines?.[0]).toBe(
    'The nearest text is on line 1: the file has "+b}yyyyyyyyyyyyyyyyyyyyy…" where the text sent has "-b}":',
  );
  expect(lines?.[1]?.length).toBeLessThan(200);
});

test('nothing alike', () => {
  expect(help('zzz\n', 'completely different text')).toEqual([
    'Nothing in the file resembles it. Read the file again and copy the text from there.',
  ]);
});

test('what the encoding can’t hold, and what stands for undecodable bytes', () => {
  expect(help(Buffer.from('caf\xe9\n', 'latin1'), 'caf→')?.[0]).toBe(
    'The file is Windows-1252, which can\'t hold "→" (U+2192).',
  );
  expect(help(Buffer.concat([Buffer.from('äöüäöüäöüäöü '), Buffer.from([0xff, 0x0a])]), 'ü \ufffd')?.[0]).toBe(
    'U+FFFD in the text sent stands for bytes of the file that are no character. Choose text without it.',
  );
});

test('ambiguous places are listed, twenty at most', () => {
  expect(help('a\nb\na\n', 'a')).toEqual(['The places begin on lines 1, 3.']);
  expect(help('a\n'.repeat(1025), 'a')?.[0]).toMatch(/^The places begin on lines 1, 2, .*, 20 and 1,005 more\.$/);
});

test('help is bounded and never fails', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b ', '\t', '\n', '“', '\u00a0', '\ud83d', '😀', '\r', 'word', '\0'), { maxLength: 40 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (before, oldText) => {
      const result = replaceText(Buffer.from(before), [{ oldText, newText: 'x' }]);
      if (!result.ok) expect(result.help.length).toBeLessThan(1510);
    }),
    runs(3000),
  );
});

test('huge and repetitive files are searched in bounded time', () => {
  expect(help('a'.repeat(3_000_000), `${'a'.repeat(9999)}b`)?.join('').length).toBeLessThan(1510);
  expect(help('\n'.repeat(3_000_000), `${'a\n'.repeat(999)}b`)).toHaveLength(1);
});

test('differences in words', () => {
  expect(describeDifference('a\tb', 'a  b').words).toBe('the file has a tab where the text sent has 2 spaces');
  expect(describeDifference('ab', 'ab c').words).toBe('the file has no white space where the text sent has a space');
  expect(describeDifference('ab;', 'ab').words).toBe('the file has ";" where the text sent has nothing more');
  expect(makeVisible('  a b  c\t\u00a0\r')).toBe('··a b··c→[U+00A0]␍');
});

test.each(['1: foo\n2: bar', ' 12\tfoo\n 13\tbar\n', '7→foo', '1| foo'])(
  'line numbers copied along are named: %j',
  (sent) => {
    expect(help('foo\r\nbar\r\n', sent)).toEqual([
      'The text sent has line numbers in front of its lines, which the file has not. Send it without them.',
    ]);
  },
);

test.each(['say \\"hi\\"', 'a\\tb', 'hi\\"\\na', '\\\\d+'])('text escaped once too often is named: %j', (sent) => {
  expect(help('say "hi"\na\tb\n\\d+\n', sent)).toEqual([
    'The text sent is escaped once too often: the file has it without the extra backslashes. Send it unescaped.',
  ]);
});

test('numbers and backslashes that are no mistake are told as any other difference', () => {
  expect(help('10: ten\nfoo\n', '10: tan')?.[0]).toContain('where the text sent has');
  expect(help('x = "\\n"\n', 'y = "\\n"')?.[0]).toContain('where the text sent has');
});
