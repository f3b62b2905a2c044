import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf } from '../../src/workspace/file-state.ts';
import { runs } from '../support/runs.ts';

test('a digest that goes on from what begins alike is the digest', () => {
  const before = Buffer.alloc(3 * 1024 * 1024 + 17, 'some text\n');
  digestOf(before);
  fc.assert(
    fc.property(fc.nat(before.length), fc.nat(2_000_000), fc.uint8Array({ maxLength: 9 }), (at, cut, put) => {
      const after = Buffer.concat([before.subarray(0, at), put, before.subarray(at + cut)]);
      expect(digestOf(after, before)).toBe(createHash('sha256').update(after).digest('hex'));
    }),
    runs(30),
  );
});
