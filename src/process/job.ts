import type { Running, RunResult } from './run.ts';

/** A command that runs while other calls are made. */
export interface Job {
  readonly id: string;
  readonly command: string;
  readonly running: Running;
  /** Output that was not read yet, both streams as they came. */
  unread: string;
  /** Characters that were dropped from the beginning of `unread`. */
  dropped: number;
  result?: RunResult;
  /** Told when there is news: output, or the end with none. */
  readonly listeners: Set<(news: string) => void>;
}
