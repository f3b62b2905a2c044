import { describe, expect, test, vi } from 'vitest';
import { bench } from './support.ts';

vi.mock('../../src/workspace/spelling.ts', async (original) => ({
  ...(await original<typeof import('../../src/workspace/spelling.ts')>()),
  foldsNames: () => true,
}));

describe('where the disk takes two spellings for one name', () => {
  test.each(['src/zz.ts', 'SRC/zz.ts', 'Src/ZZ.ts'])('a rule for src/* binds %s', (path) => {
    const { policy, file } = bench({ write_file: { '*': 'allow', 'src/*': 'deny' } });
    expect(policy.judge(file('write_file', 'write', path)).decision).toBe('deny');
  });

  test('a command that writes there is bound by it too', () => {
    const { decide } = bench({ bash: 'allow', write_file: { '*': 'allow', 'src/*': 'deny' } });
    expect(decide('echo 1 > SRC/zz.ts')).toBe('deny');
    expect(decide('echo 1 > other/zz.ts')).toBe('allow');
  });
});
