import { expect, test } from 'vitest';
import { type Edit, replaceText } from '../../src/change/replace.ts';
import { missError, missHeadline, rousseauHeadline, shiroWords } from '../../src/change/replace-words.ts';

const base64 = (text: string) => Buffer.from(text, 'base64');
const edited = (before: string | Buffer, ...edits: Edit[]) => {
  const result = replaceText(Buffer.from(before), edits);
  return result.ok ? result.bytes : result;
};
const text = (before: string | Buffer, ...edits: Edit[]) => {
  const result = edited(before, ...edits);
  return Buffer.isBuffer(result) ? result.toString() : result;
};
const headline = (before: string | Buffer, edits: Edit[], batch = edits.length > 1) => {
  const result = replaceText(Buffer.from(before), edits);
  return result.ok ? undefined : missHeadline(result, shiroWords('src/users.ts', batch));
};

test('dollar sequences are literal (B001)', () => {
  expect(text('note("ready");\n', { oldText: 'note("ready");', newText: 'note("$& / $$ / $1 / $` / $\'");' })).toBe(
    'note("$& / $$ / $1 / $` / $\'");\n',
  );
});

test('LF in the old text matches CRLF and new lines end CRLF (B003)', () => {
  const before = base64('b25lDQp0d28NCnRocmVlDQo=');
  expect(text(before, { oldText: 'one\ntwo', newText: 'one\nTWO\nextra' })).toBe('one\r\nTWO\r\nextra\r\nthree\r\n');
});

test('Latin-1 bytes elsewhere survive (B005)', () => {
  const before = base64('JHggPSAxOwovLyBjYWbpIGNvcm5lcgo=');
  expect(edited(before, { oldText: '$x = 1;', newText: '$x = 2;' })).toEqual(
    base64('JHggPSAyOwovLyBjYWbpIGNvcm5lcgo='),
  );
});

test('a byte-order mark is invisible and stays (B007)', () => {
  const before = base64('77u/IyBUaXRsZQpib2R5Cg==');
  expect(edited(before, { oldText: '# Title\nbody', newText: '# Title\n\nbody text' })).toEqual(
    base64('77u/IyBUaXRsZQoKYm9keSB0ZXh0Cg=='),
  );
  expect(text(before, { oldText: '\ufeff# Title', newText: '\ufeff# New' })).toBe('\ufeff# New\nbody\n');
});

test.each([
  ['curly quotes (B009)', 'const name = "Ann";\n', 'const name = “Ann”;'],
  ['two distant places (B010)', '.bar {\n  gap: 3px;\n}\n.keep1 {}\n/* footer */\n', '  gap: 3px;\n}\n/* footer */'],
  ['a middle that differs (B011)', 'function calc() {\n  const y = 99;\n}\n', 'function calc() {\n  const y = 2;\n}'],
  ['spaces for a tab (B013)', 'build:\n\tgo build ./...\n', '    go build ./...'],
  ['trailing space', 'a\nb\n', 'a \nb'],
  ['no-break space', 'a\u00a0b\n', 'a b'],
  ['composed and decomposed', 'caf\u00e9\n', 'cafe\u0301'],
  ['half a CRLF', 'a\r\nb\r\n', 'a\r'],
])('similar is not equal: %s', (_name, before, oldText) => {
  expect(replaceText(Buffer.from(before), [{ oldText, newText: 'X' }])).toMatchObject({
    ok: false,
    reason: 'absent',
    count: 0,
  });
});

test('an empty old text is refused with the right tool named, in a batch too (B012)', () => {
  const says = 'oldString is empty. Send the text to replace, or use write_file to write the whole file.';
  expect(headline('keep me\n', [{ oldText: '', newText: 'new tail\n' }])).toBe(says);
  expect(headline('keep me\n', [{ oldText: '', newText: 'x', all: true }])).toBe(says);
  const batch: Edit[] = [
    { oldText: 'keep', newText: 'KEEP' },
    { oldText: '', newText: 'x' },
  ];
  expect(headline('keep me\n', batch)).toBe(`edit 2: ${says} No edits were applied.`);
});

test('new text stands verbatim: no re-indentation, no entity decoding (B015, B016)', () => {
  const before = 'class K:\n        self.a = 1\n        self.b = 1\n';
  expect(text(before, { oldText: 'self.a = 1\n        self.b', newText: 'self.a = 2\n        self.b' })).toBe(
    'class K:\n        self.a = 2\n        self.b = 1\n',
  );
  expect(text("<p>It doesn't</p>\n", { oldText: "doesn't", newText: 'doesn&apos;t &lt;b&gt; &amp;amp;' })).toBe(
    '<p>It doesn&apos;t &lt;b&gt; &amp;amp;</p>\n',
  );
});

test('the headline names the count', () => {
  expect(headline('a\na\na\n', [{ oldText: 'a', newText: 'b' }])).toBe(
    'oldString appears 3 times in src/users.ts. Add surrounding context or set replaceAll.',
  );
});

test('the headline names the failing edit and that nothing was applied', () => {
  const edits: Edit[] = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'zz', newText: 'y' },
  ];
  expect(headline('a\n', edits)).toBe('edit 2: oldString not found in src/users.ts. No edits were applied.');
});

test('help follows the headline and can be left out', () => {
  const result = replaceText(Buffer.from('a\nb\na\n'), [{ oldText: 'a', newText: 'b' }]);
  if (result.ok) throw new Error('expected a miss');
  const words = shiroWords('f', false);
  const head = 'oldString appears 2 times in f. Add surrounding context or set replaceAll.';
  expect(missError(result, words)).toMatchObject({
    code: 'conflict',
    message: `${head}\nThe places begin on lines 1, 3.`,
  });
  expect(missError(result, words, false).message).toBe(head);
});

test('each edit sees the result of the one before', () => {
  const edits: Edit[] = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'b', newText: 'c' },
  ];
  expect(replaceText(Buffer.from('a'), edits)).toMatchObject({ ok: true, counts: [1, 1], bytes: Buffer.from('c') });
});

test('text that an earlier edit took away is explained', () => {
  const edits: Edit[] = [
    { oldText: 'alpha', newText: 'beta' },
    { oldText: 'alpha', newText: 'gamma' },
  ];
  expect(replaceText(Buffer.from('alpha\n'), edits)).toMatchObject({
    edit: 2,
    reason: 'absent',
    help: 'An earlier edit of this call already changed that text: each edit sees the result of the one before it.',
  });
});

test('overlapping occurrences are ambiguous; with `all` they are taken from the left', () => {
  expect(replaceText(Buffer.from('aaa'), [{ oldText: 'aa', newText: 'b' }])).toMatchObject({
    reason: 'ambiguous',
    count: 2,
  });
  expect(text('aaa', { oldText: 'aa', newText: 'b', all: true })).toBe('ba');
  expect(text('aaaa', { oldText: 'aa', newText: 'aaa', all: true })).toBe('aaaaaa');
});

test('identical texts and texts that differ in line ends only are refused', () => {
  expect(headline('a\n', [{ oldText: 'a', newText: 'a' }])).toBe(
    'oldString and newString are identical, so there is nothing to change.',
  );
  expect(headline('a\r\nb', [{ oldText: 'a\r\nb', newText: 'a\nb' }])).toBe(
    'oldString and newString differ only in line ends, which an edit keeps as the file has them. To change them, write the whole file with write_file.',
  );
});

test.each([
  ['CRLF text, LF file', 'a\nb\nc\n', 'a\r\nb', 'x\r\ny\r\nz', 'x\ny\nz\nc\n'],
  ['one line becomes two: the line’s own end', 'a\r\nb\r\n', 'a', 'x\ny', 'x\r\ny\r\nb\r\n'],
  ['last line without an end', 'a\r\nb', 'b', 'x\ny', 'a\r\nx\r\ny'],
  ['no line end anywhere: as given', 'ab', 'b', 'x\r\ny\n', 'ax\r\ny\n'],
  ['mixed file, line above', 'a\nb\r\nc\n', 'b', 'x\ny', 'a\nx\r\ny\r\nc\n'],
  ['mixed match keeps shared lines', 'a\nb\r\nc\nd\n', 'a\nb\nc\nd', 'a\nb\nc\nD', 'a\nb\r\nc\nD\n'],
  ['mixed match, line inserted', 'a\r\nb\nc\n', 'a\nb\nc', 'a\nb\nnew\nc', 'a\r\nb\nnew\nc\n'],
  ['match begins with a line end', 'a\r\nb\r\nc', '\nb', '\nB', 'a\r\nB\r\nc'],
  ['only line ends', 'a\r\n\r\nb\r\n', '\n\n', '\n', 'a\r\nb\r\n'],
  ['classic Mac', 'a\rb\rc\r', 'a\nb', 'x\ny\nz', 'x\ry\rz\rc\r'],
  ['a carriage return is content among line feeds', 'a\rb\nc\n', 'a\rb', 'a\rB', 'a\rB\nc\n'],
  ['doubled carriage return', 'a\r\r\nb', 'a\r\r\nb', 'x\ny', 'x\r\ny'],
  ['last line removed', 'a\r\nb\r\n', '\nb\n', '\n', 'a\r\n'],
])('line ends: %s', (_name, before, oldText, newText, after) => {
  expect(text(before, { oldText, newText })).toBe(after);
});

test('half a surrogate pair is neither found nor written', () => {
  expect(replaceText(Buffer.from('\ufffd'), [{ oldText: '\ud83d', newText: 'x' }])).toMatchObject({ reason: 'absent' });
  expect(replaceText(Buffer.from('abc'), [{ oldText: 'b', newText: '\ud83d' }])).toMatchObject({
    reason: 'unencodable',
    help: 'The new text has U+D83D, half of a surrogate pair, which no file can hold. Send whole characters.',
  });
});

test('a result beyond the size limit is refused before memory is used up', () => {
  const result = replaceText(Buffer.alloc(1_000_000, 'a'), [{ oldText: 'a', newText: 'b'.repeat(1000), all: true }]);
  expect(result).toMatchObject({ ok: false, reason: 'large' });
});

test('repetitive files take linear time', () => {
  const line = 'a\n';
  const before = Buffer.from(line.repeat(500_000));
  const absent = `${line.repeat(5000)}b\n${line.repeat(5000)}`;
  expect(replaceText(before, [{ oldText: absent, newText: '' }])).toMatchObject({ reason: 'absent' });
  const run = Buffer.alloc(1_000_000, 'a');
  expect(replaceText(run, [{ oldText: 'a'.repeat(10_000), newText: '' }])).toMatchObject({ count: 990_001 });
  expect(replaceText(run, [{ oldText: `b${'a'.repeat(10_000)}`, newText: '' }])).toMatchObject({ reason: 'absent' });
  expect(replaceText(Buffer.alloc(500_000, '\n'), [{ oldText: '\n'.repeat(5000), newText: '' }])).toMatchObject({
    count: 495_001,
  });
});

test.each([
  ['', 'edit: old_string is required'],
  ['b', 'edit: old_string and new_string are identical'],
  ['x', 'edit: old_string not found in /tmp/foo'],
  ['a', 'edit: old_string is not unique in /tmp/foo: it appears 2 times. Add surrounding context.'],
])('in the words of rousseau: %j', (oldText, says) => {
  const result = replaceText(Buffer.from('a a'), [{ oldText, newText: 'b' }]);
  expect(result.ok ? '' : rousseauHeadline(result, '/tmp/foo')).toBe(says);
});
