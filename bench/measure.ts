/** One comparison: how long ours takes against what it is measured by, in the same run, in turn. */
export interface Comparison {
  readonly name: string;
  /** What `ours` is divided by. */
  readonly against: string;
  readonly ours: number;
  readonly floor: number;
  /** ours / floor, median of the rounds' own ratios. */
  readonly ratio: number;
  /** The ratio it must not exceed, where one is set. */
  readonly limit?: number;
  readonly unit: string;
}

export interface CompareOptions {
  readonly name: string;
  readonly against: string;
  readonly ours: () => unknown | Promise<unknown>;
  readonly floor: () => unknown | Promise<unknown>;
  /** Runs before each measured call of either, unmeasured. */
  readonly before?: () => unknown | Promise<unknown>;
  readonly rounds?: number;
  readonly warmup?: number;
  readonly limit?: number;
}

/** Runs both in turn, A B A B …, so that a machine that changes its speed changes both. */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { rounds = 9, warmup = 2 } = options;
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = -warmup; round < rounds; round += 1) {
    const a = await timed(options.ours, options.before);
    const b = await timed(options.floor, options.before);
    if (round < 0) continue;
    ours.push(a);
    floor.push(b);
  }
  const ratios = ours.map((time, at) => time / floor[at]!);
  const { name, against, limit } = options;
  return {
    name,
    against,
    ours: median(ours),
    floor: median(floor),
    ratio: median(ratios),
    unit: 'ms',
    ...(limit === undefined ? {} : { limit }),
  };
}

async function timed(work: () => unknown, before: (() => unknown) | undefined): Promise<number> {
  await before?.();
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
