import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt } from '../../src/process/excerpt.ts';
import { ring } from '../../src/process/ring.ts';
import { unmasked } from '../../src/process/text-filter.ts';
import { plainText, settleLines, textStream } from '../../src/process/text-stream.ts';
import { runs } from '../support/runs.ts';

function read(bytes: Buffer, size: number): string {
  const stream = textStream(unmasked());
  let text = '';
  for (let at = 0; at < bytes.length; at += size) text += stream.push(bytes.subarray(at, at + size));
  return text + stream.finish();
}

test.each([
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x1b]0;title\x07x', 'x'],
  ['\x1b]8;;https://example.test\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['\x1b(Bx\x1b=y\x1b>', 'xy'],
  ['\x1b[?25l\x1b[2K\x1b[1;1Hx', 'x'],
  ['a\0b\x07c\x08d\x7f', 'abcd'],
  ['tab\tline\r\n', 'tab\tline\r\n'],
  ['grüße 🐶 ✓', 'grüße 🐶 ✓'],
  ['cut \x1b[3', 'cut '],
])('%j reads %j, whatever the chunks cut', (raw, plain) => {
  for (const size of [1, 2, 3, 100]) expect(read(Buffer.from(raw), size).replace('[3', '')).toBe(plain);
});

test('an unfinished sequence is not waited for without end', () => {
  const filter = plainText();
  let length = 0;
  for (let at = 0; at < 100; at += 1) length += filter.push(`\x1b]0;${'x'.repeat(1000)}`).length;
  expect(length).toBeGreaterThan(80_000);
});

test('lines that redraw themselves show their last state', () => {
  expect(settleLines('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n');
});

test('a ring keeps exactly the last bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: 1, max: 50 }), (chunks, capacity) => {
      const kept = ring(capacity);
      for (const chunk of chunks) kept.push(Buffer.from(chunk));
      const all = Buffer.concat(chunks);
      expect(Buffer.concat(kept.pieces())).toEqual(all.subarray(Math.max(0, all.length - capacity)));
      expect(kept.total).toBe(all.length);
    }),
    runs(100),
  );
});

test('an excerpt stays within its limit and cuts no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), fc.integer({ min: 300, max: 900 }), (head, limit) => {
      const { text, cut } = excerpt(
        { head, tail: '', bytes: Buffer.byteLength(head), lost: 0, lostIn: 'chars' },
        limit,
      );
      expect(text.length).toBeLessThanOrEqual(limit);
      if (!cut) expect(text).toBe(head);
      else expect(text).toMatch(/\n\.\.\. \[truncated [\d,]+ chars\]\n/);
    }),
    runs(100),
  );
});
