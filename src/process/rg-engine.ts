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
