import { expect, test } from 'vitest';
import { engineTalk } from '../../src/process/rg-talk.ts';

const heard = (...pieces: (string | Buffer)[]) => {
  const talk = engineTalk();
  for (const piece of pieces) talk.hear(Buffer.from(piece));
  return talk.end();
};
const binary = (path: string) =>
  `rg: DEBUG|grep_printer::standard|/src/standard.rs:830: ignoring ${path}: found binary data at offset 3\n`;
const skipped = (part: object) => ({ binary: [], more: false, ...part });

test('complaints are kept apart from what is said of files', () => {
  expect(
    heard(
      'rg: DEBUG|rg::flags::hiargs|hiargs.rs:175: using 2 thread(s)\n',
      binary('./a.png'),
      'rg: ./locked: Permission denied (os error 13)\n',
      'rg: DEBUG|grep_printer::summary|summary.rs:686: ignoring ./b: found binary data at offset 0\n',
      'rg: DEBUG|ignore::walk|walk.rs:1929: ignoring ./big: 5000000 bytes\n',
      'rg: DEBUG|ignore::walk|walk.rs:1920: ignoring ./.git: Ignore(IgnoreMatch(Override(Glob(…))))\n',
    ),
  ).toEqual({
    errors: 'rg: ./locked: Permission denied (os error 13)\n',
    skipped: skipped({ binary: ['./a.png', './b'] }),
  });
});

test('a complaint goes on over lines', () => {
  const errors = 'rg: regex parse error:\n    (\n    ^\nerror: unclosed group\n';
  expect(heard(binary('./a'), errors)).toEqual({ errors, skipped: skipped({ binary: ['./a'] }) });
});

test('names may hold newlines, wherever what is said is cut into pieces', () => {
  const text = `${binary('./a\nb: found binary data at offset 1') + binary('./ä\n\nx')}rg: out of luck`;
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(heard(bytes.subarray(0, at), bytes.subarray(at))).toEqual({
      errors: 'rg: out of luck\n',
      skipped: skipped({ binary: ['./a\nb: found binary data at offset 1', './ä\n\nx'] }),
    });
  }
});

test('however much is said, a bounded part is kept', () => {
  const { skipped } = heard(...Array.from({ length: 10_001 }, (_, at) => binary(`./${at}`)));
  expect([skipped.binary.length, skipped.more]).toEqual([10_000, true]);
  expect(heard(...Array.from({ length: 300 }, () => binary('x'.repeat(4096)))).skipped.more).toBe(true);
  expect(heard('rg: x\n'.repeat(100_000)).errors.length).toBe(64 * 1024);
  expect(heard(...Array.from({ length: 100 }, () => 'x'.repeat(10_000))).errors.length).toBe(64 * 1024);
});
