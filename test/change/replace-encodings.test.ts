import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { replaceText } from '../../src/change/replace.ts';
import { missHeadline, shiroWords } from '../../src/change/replace-words.ts';

const marks: Record<string, readonly number[]> = {
  'UTF-8': [0xef, 0xbb, 0xbf],
  'UTF-16LE': [0xff, 0xfe],
  'UTF-16BE': [0xfe, 0xff],
  'UTF-32LE': [0xff, 0xfe, 0, 0],
  'UTF-32BE': [0, 0, 0xfe, 0xff],
};
const samples: Record<string, string> = {
  'Windows-1252': 'naïve café über größe',
  Shift_JIS: 'これは日本語です。表示ソース能力',
  'EUC-JP': 'これは日本語です。設定を読む',
  GB18030: '这是一个用来测试字符编码检测的中文文本',
  Big5: '這是一個用來測試字元編碼偵測的中文文字',
  'EUC-KR': '이것은 문자 인코딩 감지를 시험하기 위한 텍스트',
};

function file(text: string, name: string, marked: boolean): Buffer {
  const body = iconv.encode(text, name, { addBOM: false });
  return marked ? Buffer.concat([Buffer.from(marks[name]!), body]) : body;
}

describe.each(Object.keys(marks))('%s', (name) => {
  describe.each([true, false])('byte-order mark: %s', (marked) => {
    test.each(['\n', '\r\n'])('with line end %j every edit keeps encoding, mark and ends', (end) => {
      const before = file(['head', 'grüße 😀', 'tail', ''].join(end), name, marked);
      const after = file(['head', 'neu → 😀', 'zwei', 'tail', ''].join(end), name, marked);
      const edits = [{ oldText: 'grüße 😀\n', newText: 'neu → 😀\nzwei\n' }];
      expect(replaceText(before, edits)).toEqual({ ok: true, bytes: after, counts: [1] });
    });
  });
});

describe.each(Object.entries(samples))('%s', (name, sample) => {
  test.each(['\n', '\r\n'])('with line end %j an ASCII edit keeps every other byte', (end) => {
    const before = file([`// ${sample}`, 'one();', ''].join(end), name, false);
    const after = file([`// ${sample}`, 'two();', 'three();', ''].join(end), name, false);
    const edits = [{ oldText: 'one();', newText: 'two();\nthree();' }];
    expect(replaceText(before, edits)).toEqual({ ok: true, bytes: after, counts: [1] });
  });

  test('text that the edit itself matched may stay, other non-ASCII text is refused', () => {
    const before = file(`// ${sample}\n`, name, false);
    const kept = replaceText(before, [{ oldText: sample, newText: `${sample}!` }]);
    expect(kept).toEqual({ ok: true, bytes: file(`// ${sample}!\n`, name, false), counts: [1] });
    expect(replaceText(before, [{ oldText: '//', newText: '// ¿' }])).toMatchObject({
      ok: false,
      reason: 'unencodable',
    });
  });
});

test('a character that the encoding does not have is named', () => {
  const result = replaceText(Buffer.from('caf\xe9 corner\n', 'latin1'), [{ oldText: 'corner', newText: '→' }]);
  if (result.ok) throw new Error('expected a miss');
  expect(missHeadline(result, shiroWords('a.php', false))).toBe(
    'newString can\'t be written to a.php. The file is Windows-1252, which has no "→" (U+2192). ' +
      'Use only characters that Windows-1252 has, or convert the file to UTF-8 first.',
  );
});

test('a character whose bytes would be guessed is named', () => {
  expect(replaceText(Buffer.from('caf\xe9 corner\n', 'latin1'), [{ oldText: 'corner', newText: 'ü' }])).toMatchObject({
    help: 'The file\'s encoding is only guessed (Windows-1252), so the bytes of "ü" (U+00FC) are not certain. Use ASCII for new text, or convert the file to UTF-8 first.',
  });
});

test('the second byte of a Shift_JIS character is not a letter', () => {
  // 表 is 95 5C and ソ is 83 5C: both end in the byte of a backslash.
  const before = iconv.encode('表示ソース能力 = "a\\b";\n', 'Shift_JIS');
  const edits = [{ oldText: '\\', newText: '/' }];
  expect(replaceText(before, edits)).toEqual({
    ok: true,
    counts: [1],
    bytes: iconv.encode('表示ソース能力 = "a/b";\n', 'Shift_JIS'),
  });
});

test('two halves of neighbouring characters are no character', () => {
  // 能力能力: 94 5C 97 CD 94 5C 97 CD; the bytes 5C 97 would be no match for anything, CD 94 is ﾍ + lead.
  const before = iconv.encode('あいうえお日本ｱｲｳ能力\n', 'Shift_JIS');
  expect(replaceText(before, [{ oldText: 'ﾍ', newText: 'x' }])).toMatchObject({ ok: false, reason: 'absent' });
});

test('UTF-16 matches on unit borders only', () => {
  // 0x4100 0x4200: the bytes 41 00 at an odd offset look like "A".
  const before = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('\u0041\u4100\u0042\u0041\n', 'utf16le')]);
  expect(replaceText(before, [{ oldText: 'A', newText: 'x' }])).toMatchObject({
    ok: false,
    reason: 'ambiguous',
    count: 2,
  });
});

test('damaged UTF-8 stays damaged where it was', () => {
  const before = Buffer.concat([
    Buffer.from('ä ö ü ß é\nbad: '),
    Buffer.from([0xc3, 0x28, 0xff]),
    Buffer.from('\nend\n'),
  ]);
  const after = Buffer.concat([
    Buffer.from('ä ö ü ß é\nbad: '),
    Buffer.from([0xc3, 0x28, 0xff]),
    Buffer.from('\nEND\n'),
  ]);
  expect(replaceText(before, [{ oldText: 'end', newText: 'END' }])).toEqual({ ok: true, bytes: after, counts: [1] });
  expect(replaceText(before, [{ oldText: '\ufffd', newText: 'x' }])).toMatchObject({ reason: 'absent' });
});

test('a binary file can be edited in its ASCII parts without harm', () => {
  const before = Buffer.concat([
    Buffer.from([0, 1, 2, 0xff, 0xfe, 0x80]),
    Buffer.from('name=a'),
    Buffer.from([0, 0xd8, 0]),
  ]);
  const after = Buffer.concat([
    Buffer.from([0, 1, 2, 0xff, 0xfe, 0x80]),
    Buffer.from('name=b'),
    Buffer.from([0, 0xd8, 0]),
  ]);
  expect(replaceText(before, [{ oldText: 'name=a', newText: 'name=b' }])).toEqual({
    ok: true,
    bytes: after,
    counts: [1],
  });
});
