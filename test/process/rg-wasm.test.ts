import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { wasmEngine } from '../../src/process/rg-wasm.ts';
import { tempFolder } from '../support/folders.ts';

test('a search that is stopped as it ends leaves no dead worker to the next one', async () => {
  const engine = wasmEngine();
  const root = tempFolder({ 'a.txt': 'needle\n' });
  const args = ['--no-config', '--regexp=needle', '--', './'];
  for (let turn = 0; turn < 3; turn += 1) {
    const run = engine.start(args, root);
    for await (const bytes of run.output) {
      expect(bytes.toString()).toContain('needle');
      // Long enough for the worker to have said its last word, which nobody here has heard.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      run.stop();
      break;
    }
    await run.ended;
    await pause(50);
    expect((await engine.start(args, root).ended).code).toBe(0);
  }
});
