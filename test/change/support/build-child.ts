import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';

/** Bundles a script of this folder before the tests of a file run, so that plain node starts it fast; returns its place. */
export function builtChild(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'benchdog-child-'));
  beforeAll(async () => {
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: resolve(import.meta.dirname, `${name}.ts`),
        outDir: folder,
        target: 'node20',
        rolldownOptions: { output: { entryFileNames: 'child.mjs' } },
      },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'child.mjs');
}
