/** ripgrep, in whichever form runs here. Both forms take the same arguments and print the same. */
export interface SearchEngine {
  readonly name: 'rg' | 'rg-wasm';
  /**
   * Starts `rg ARGS` in a folder, with no configuration and no input.
   *
   * @param closed folders, relative to `cwd`, that the arguments leave out and that can't even be looked at
   */
  start(args: readonly string[], cwd: string, closed?: readonly string[]): EngineRun;
}

export interface EngineRun {
  /** What it prints, as it comes; the engine waits while nobody reads. Ends when the engine does. */
  readonly output: AsyncIterable<Buffer>;
  /** Exit code (0 found, 1 nothing found, 2 trouble) and what it said on standard error. */
  readonly ended: Promise<EngineEnd>;
  /** Ends it at once; `output` and `ended` still come to their end. */
  stop(): void;
}

export interface EngineEnd {
  readonly code: number;
  /** Its complaints, at most 64 KB. */
  readonly errors: string;
  /** Files it gave up without a complaint, as far as it was asked to tell (`--debug`). */
  readonly skipped: Skipped;
}

/** Paths as the engine prints them; bytes that are no UTF-8 are replaced. Not to be believed: a file name can forge one. */
export interface Skipped {
  /** With a NUL in them. */
  readonly binary: readonly string[];
  /** There were more than are kept, 10,000 in all. */
  readonly more: boolean;
}

export const nothingSkipped: Skipped = { binary: [], more: false };

/** Of what an engine says on standard error, this many characters are kept. */
export const longestErrors = 64 * 1024;

/**
 * The most that a compiled pattern may take: enough for `\w{1,255}`; what is larger compiles, and then takes hours on a
 * long line. The same program is little more than half as large where pointers are.
 */
export const largestPattern = { rg: '--regex-size-limit=20M', 'rg-wasm': '--regex-size-limit=11M' };
