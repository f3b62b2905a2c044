import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { detectEncoding } from '../../src/base/encoding.ts';
import { findPlaces } from '../../src/change/find.ts';
import { scanSlowly } from '../../src/change/find-slow.ts';
import { haystack } from '../../src/change/haystack.ts';
import { replaceText } from '../../src/change/replace.ts';
import { runs } from '../support/runs.ts';

/** Bytes with ASCII islands, so that edits can hit. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.constantFrom('ab', 'a', '\n', '\r\n', 'é', 'end', 'aba').map((text) => Buffer.from(text)),
    ),
  )
  .map((parts) => Buffer.concat(parts));

test('an ASCII edit of any bytes equals the naive splice and leaves every other byte alone', () => {
  fc.assert(
    fc.property(
      anyBytes,
      fc.constantFrom('ab', 'a', 'end', 'aba', 'b'),
      fc.constantFrom('X', '', 'longer'),
      (bytes, oldText, newText) => {
        fc.pre(!detectEncoding(bytes).name.startsWith('UTF-16') && !detectEncoding(bytes).name.startsWith('UTF-32'));
        // In double-byte encodings an ASCII byte may be half of a character; those have tests of their own.
        fc.pre(/^(UTF-8|Windows-125|ISO|KOI)/.test(detectEncoding(bytes).name));
        const at = bytes.indexOf(oldText);
        const again = at < 0 ? -1 : bytes.indexOf(oldText, at + 1);
        const result = replaceText(bytes, [{ oldText, newText }]);
        if (at < 0) expect(result).toMatchObject({ ok: false, reason: 'absent' });
        else if (again >= 0) expect(result).toMatchObject({ ok: false, reason: 'ambiguous' });
        else {
          const expected = Buffer.concat([
            bytes.subarray(0, at),
            Buffer.from(newText),
            bytes.subarray(at + oldText.length),
          ]);
          expect(result).toEqual({ ok: true, counts: [1], bytes: expected });
        }
      },
    ),
    runs(2000),
  );
});

const piece = fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', 'é', '→', '\r');
const someText = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));

test('with `all`, the result equals a split and join over lines', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'é', '\n'), { maxLength: 40 }),
      fc.array(fc.constantFrom('a', 'é', '\n'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('x', '', 'x\ny'),
      fc.boolean(),
      (parts, old, newText, crlf) => {
        const plain = parts.join('');
        const oldText = old.join('');
        // Where the file has no line end, nothing says how a new one should look.
        fc.pre(plain.includes('\n') && plain.includes(oldText) && oldText !== newText);
        const asFile = (text: string) => (crlf ? text.replaceAll('\n', '\r\n') : text);
        const result = replaceText(Buffer.from(asFile(plain)), [{ oldText, newText, all: true }]);
        if (!result.ok) throw new Error(result.reason);
        expect(result.bytes.toString()).toBe(asFile(plain.split(oldText).join(newText)));
      },
    ),
    runs(2000),
  );
});

test('a uniformly ended file stays so', () => {
  const lines = fc
    .array(fc.constantFrom('a', 'b', 'é', '\n'), { minLength: 1, maxLength: 20 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(lines, lines, someText, fc.constantFrom('\n', '\r\n'), (body, oldText, given, end) => {
      const newText = given.replace(/\r(?!\n)/g, '');
      const file = `first\n${body}\nlast\n`.replaceAll('\n', end);
      const result = replaceText(Buffer.from(file), [{ oldText, newText, all: true }]);
      if (!result.ok) return;
      const text = result.bytes.toString();
      expect(text.replaceAll(end, '')).not.toMatch(/[\r\n]/);
    }),
    runs(2000),
  );
});

test('the quick search and the linear one find the same places', () => {
  fc.assert(
    fc.property(
      someText,
      fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
      fc.constantFrom('utf8', 'utf16le'),
      (text, needle, as) => {
        const bytes = Buffer.concat([
          Buffer.from(as === 'utf8' ? [] : [0xff, 0xfe]),
          Buffer.from(text, as as BufferEncoding),
        ]);
        const hay = haystack(bytes, detectEncoding(bytes));
        const normal = hay.mac ? needle.replace(/\r\n?/g, '\n') : needle.replaceAll('\r\n', '\n');
        const parts = normal.split('\n').map((part) => Buffer.from(part, as as BufferEncoding));
        expect([...findPlaces(hay, needle)]).toEqual([...scanSlowly(hay, parts, -1, () => true)]);
      },
    ),
    runs(5000),
  );
});

/** Characters whose second bytes are letters, digits, backslashes or other characters' first bytes. */
const alphabets: Record<string, readonly string[]> = {
  Shift_JIS: [...'表ソ能\\\\aAｱﾍ予申一日0|'],
  'EUC-JP': [...'表ソ能あいｱ\\a0日本'],
  'EUC-KR': [...'이것은감지갂갃aA\\0'],
  Big5: [...'功許蓋中文測試\\aA|0'],
  GB18030: [...'中文测试丂丄\u{20087}€ﾍaA0123|\\'],
};

test.each(Object.keys(alphabets))('%s matches whole characters only', (name) => {
  const letters = fc
    .array(fc.constantFrom(...alphabets[name]!, '\n'), { maxLength: 30 })
    .map((parts) => parts.join(''));
  const needles = fc
    .array(fc.constantFrom(...alphabets[name]!), { minLength: 1, maxLength: 2 })
    .map((parts) => parts.join(''));
  const encoding = { name, bom: Buffer.alloc(0), certain: false };
  const bytesOf = (text: string) => iconv.encode(text, name);
  fc.assert(
    fc.property(letters, needles, (text, needle) => {
      const found = [...findPlaces(haystack(bytesOf(text), encoding), needle)].map(({ start }) => start);
      const expected: number[] = [];
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1))
        expected.push(bytesOf(text.slice(0, at)).length);
      expect(found).toEqual(expected);
    }),
    runs(1000),
  );
});

test.each(['UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'])('an edit in %s is the same edit as in UTF-8', (name) => {
  const letters = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '→', '😀', '\u0a0d', '\u0d0a', '\u6100'), {
    maxLength: 30,
  });
  const encoded = (text: string) => iconv.encode(text, name, { addBOM: true });
  fc.assert(
    fc.property(letters, letters, letters, fc.boolean(), (body, old, fresh, all) => {
      const edit = { oldText: old.slice(0, 3).join(''), newText: fresh.slice(0, 4).join(''), all };
      const text = body.join('');
      const utf8 = replaceText(Buffer.from(`\ufeff${text}`), [edit]);
      const wide = replaceText(encoded(text), [edit]);
      if (utf8.ok)
        expect(wide).toEqual({ ok: true, counts: utf8.counts, bytes: encoded(utf8.bytes.toString().slice(1)) });
      else expect(wide).toMatchObject({ ok: false, reason: utf8.reason, count: utf8.count, lines: utf8.lines });
    }),
    runs(1000),
  );
});
