/** ripgrep, in whichever form runs here. Both forms take the same arguments and print the same. */
export interface SearchEngine {
  readonly name: 'rg' | 'rg-wasm';
  /** Starts `rg ARGS` in a folder, with no configuration and no input. */
  start(args: readonly string[], cwd: string): EngineRun;
}

export interface EngineRun {
  /** What it prints, as it comes; the engine waits while nobody reads. Ends when the engine does. */
  readonly output: AsyncIterable<Buffer>;
  /** Exit code (0 found, 1 nothing found, 2 trouble) and what it said on standard error, at most 64 KB. */
  readonly ended: Promise<EngineEnd>;
  /** Ends it at once; `output` and `ended` still come to their end. */
  stop(): void;
}

export interface EngineEnd {
  readonly code: number;
  readonly errors: string;
}

/** Of what an engine says on standard error, this many characters are kept. */
export const longestErrors = 64 * 1024;

/**
 * The most that a compiled pattern may take: enough for `\w{1,255}`; what is larger compiles, and then takes hours on a
 * long line. The same program is little more than half as large where pointers are.
 */
export const largestPattern = { rg: '--regex-size-limit=20M', 'rg-wasm': '--regex-size-limit=11M' };
