import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { masker } from '../../src/process/mask.ts';
import type { Masker } from '../../src/process/text-filter.ts';
import { runs } from '../support/runs.ts';

function through(mask: Masker, pieces: readonly string[]): string {
  const filter = mask();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.finish();
}

const inPieces = (text: string, size: number) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
const tokens = [
  'sk-ant-api03-AbCdEfGhIjKlMnOpQrSt',
  `ghp_${'a1B2'.repeat(9)}`,
  `github_pat_${'x'.repeat(30)}`,
  'glpat-ABCDEFGHIJKLMNOPQRST',
  `npm_${'z'.repeat(36)}`,
  'xoxb-1234567890-abcdef',
  `AIza${'K'.repeat(35)}`,
  `hf_${'q'.repeat(34)}`,
  'sk_live_abcdefghijklmnop',
  'AKIAABCDEFGHIJKLMNOP',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLTEyMw',
];

describe('known values', () => {
  test('are masked whatever the pieces cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 8, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.string({ maxLength: 12 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        (values, between, size) => {
          const text = between.map((part, at) => part + values[at % values.length]!).join('');
          const mask = masker(values);
          const masked = through(mask, inPieces(text, size));
          expect(masked).toBe(through(mask, [text]));
          for (const value of values)
            if (!'[masked]'.includes(value)) expect(masked.replaceAll('[masked]', '\0')).not.toContain(value);
        },
      ),
      runs(100),
    );
  });

  test('shorter than eight characters are left alone', () => {
    expect(through(masker(['true', 'abcdefg']), ['true abcdefg'])).toBe('true abcdefg');
  });

  test('the longer of two that begin alike', () => {
    for (const pieces of [['password1234!'], ['passwo', 'rd1', '234!'], ['password1', '234!']]) {
      expect(through(masker(['password1', 'password1234']), pieces)).toBe('[masked]!');
    }
    expect(through(masker(['password1', 'password1234']), ['password1', 'x'])).toBe('[masked]x');
  });

  test('a prompt is not held back', () => {
    expect(masker(['zzz-secret'])().push('Continue? [y/N] ')).toBe('Continue? [y/N] ');
  });
});

describe('token shapes', () => {
  test.each(tokens)('%s', (token) => {
    const text = `before ${token} after\n`;
    for (const size of [1, 3, 7, 1000])
      expect(through(masker([]), inPieces(text, size))).toBe('before [masked] after\n');
    expect(through(masker([]), [`KEY=${token}`])).toBe('KEY=[masked]');
  });

  test.each(['sk-short', 'task-list', 'ghp_short', 'risk-free-investment', 'eyJhbGci', 'AKIA'])(
    '%s is none',
    (word) => {
      expect(through(masker([]), inPieces(`a ${word} b`, 2))).toBe(`a ${word} b`);
    },
  );
});

describe('private keys', () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEabc/+=\n'.repeat(20)}-----END RSA PRIVATE KEY-----`;

  test('are one mask, whatever the pieces cut', () => {
    for (const size of [1, 10, 64, 5000])
      expect(through(masker([]), inPieces(`a\n${key}\nb\n`, size))).toBe('a\n[masked]\nb\n');
  });

  test('cut off at the end', () => {
    expect(through(masker([]), [key.slice(0, 100)])).toBe('[masked]');
  });

  test('public keys and certificates are shown', () => {
    const text = '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n';
    expect(through(masker([]), inPieces(text, 5))).toBe(text);
  });
});

test('time is linear, whatever the text', () => {
  for (const unit of ['sk-', 'a', '-----BEGIN ', 'eyJ.', '-----BEGIN RSA PRIVATE KEY-----', 'pass', '\n']) {
    const filter = masker(['passpasspassword', 'aaaaaaaaaaaab'])();
    const piece = unit.repeat(Math.ceil(65_536 / unit.length));
    for (let round = 0; round < 16; round += 1) filter.push(piece);
    filter.finish();
  }
});
