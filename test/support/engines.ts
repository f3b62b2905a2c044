import { nativeEngine } from '../../src/process/rg.ts';
import type { SearchEngine } from '../../src/process/rg-engine.ts';
import { wasmEngine } from '../../src/process/rg-wasm.ts';

/** Both forms of the search engine: a test runs every search on each, and expects the same. */
export const engines: readonly (readonly [name: string, engine: SearchEngine])[] = [
  ['native', nativeEngine()!],
  ['wasm', wasmEngine()],
];
