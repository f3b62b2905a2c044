import { expect, test } from 'vitest';
import { letGo } from '../../src/process/let-go.ts';

test('what a pipe gave is freed at once, small pieces too; what shares its memory is left alone', () => {
  const [large, small] = [Buffer.allocUnsafeSlow(65_536), Buffer.allocUnsafeSlow(1024)];
  const [pooled, part] = [Buffer.from('x'.repeat(1500)), Buffer.allocUnsafeSlow(9000).subarray(0, 4000)];
  const all = [large, small, pooled, part];
  all.forEach(letGo);
  expect(all.map((one) => one.buffer.byteLength > 0)).toEqual([false, false, true, true]);
});
