import type { Parameters } from 'fast-check';

/** What `npm run fuzz` asks of every property; unset in the ordinary tests. */
const seconds = Number(process.env.BENCHDOG_FUZZ_SECONDS ?? 0);
const seed = process.env.BENCHDOG_FUZZ_SEED;

export const fuzzing = seconds > 0;

/** How long a property runs: `usual` random inputs, or under `npm run fuzz` as many as fit into the seconds it gives. */
export function runs(usual: number): Pick<Parameters<unknown>, 'numRuns' | 'seed' | 'interruptAfterTimeLimit'> {
  if (!fuzzing) return { numRuns: usual };
  return {
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: seconds * 1000,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
