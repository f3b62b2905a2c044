import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (file: string) => fileURLToPath(new URL(`./src/${file}`, import.meta.url));

export default defineConfig({
  // The package by its own name, as the examples import it: no test needs a build.
  resolve: {
    alias: [
      { find: /^benchdog$/, replacement: source('index.ts') },
      { find: /^benchdog\/ai-sdk$/, replacement: source('extend/ai-sdk.ts') },
      { find: /^benchdog\/mcp$/, replacement: source('mcp.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['./test/support/environment.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    reporters: ['default', './test/support/tally-reporter.ts'],
  },
});
