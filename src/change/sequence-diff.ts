/** A stretch of one sequence that stands in place of a stretch of another; ends are exclusive. */
export interface Block {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/** Steps spent on minimal differences before coarser ones are taken: a fraction of a second. */
const maxSteps = 20_000_000;
/** Differences in one stretch beyond which its unique lines are lined up first. The trace takes their square in memory. */
const maxDistance = 1200;
const maxDepth = 40;

/**
 * The differences of two sequences of line numbers (equal lines have equal numbers), in order.
 *
 * Minimal where that is cheap (Myers); else lines that occur once on both sides are lined up (patience) and the stretches
 * between them compared; else a stretch is replaced whole. Time and memory stay bounded whatever the sequences.
 */
export function diffSequences(a: Int32Array, b: Int32Array, distinct: number): Block[] {
  const blocks: Block[] = [];
  const counts = { a: new Int32Array(distinct), b: new Int32Array(distinct), placeB: new Int32Array(distinct) };
  let steps = maxSteps;

  const compare = (whole: Block, depth: number): void => {
    const block = trim(a, b, whole);
    const sizeA = block.toA - block.fromA;
    const sizeB = block.toB - block.fromB;
    if (sizeA === 0 && sizeB === 0) return;
    if (sizeA === 0 || sizeB === 0 || depth > maxDepth) return void blocks.push(block);
    const limit = Math.min(sizeA + sizeB, maxDistance, Math.floor(steps / (sizeA + sizeB)));
    const found = shortestEdit(a, b, block, limit);
    steps -= found.steps;
    if (found.blocks !== undefined) return void blocks.push(...found.blocks);
    const anchors = uniqueAnchors(a, b, block, counts);
    if (anchors.length === 0) return void blocks.push(block);
    for (const gap of gapsBetween(anchors, block)) compare(gap, depth + 1);
  };

  compare({ fromA: 0, toA: a.length, fromB: 0, toB: b.length }, 0);
  return blocks;
}

function trim(a: Int32Array, b: Int32Array, { fromA, toA, fromB, toB }: Block): Block {
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) {
    fromA += 1;
    fromB += 1;
  }
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) {
    toA -= 1;
    toB -= 1;
  }
  return { fromA, toA, fromB, toB };
}

interface Found {
  /** Undefined when more than `limit` differences would be needed. */
  readonly blocks: readonly Block[] | undefined;
  readonly steps: number;
}

/** Myers' greedy search for the fewest removed and added elements, with its trace kept for the way back. */
function shortestEdit(a: Int32Array, b: Int32Array, { fromA, toA, fromB, toB }: Block, limit: number): Found {
  const sizeA = toA - fromA;
  const sizeB = toB - fromB;
  const reach = new Int32Array(2 * limit + 3);
  const origin = limit + 1;
  const trace: Int32Array[] = [];
  let steps = 0;
  for (let distance = 0; distance <= limit; distance += 1) {
    trace.push(reach.slice(origin - distance - 1, origin + distance + 2));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const down = isDown(reach, origin + diagonal, diagonal, distance);
      let x = down ? reach[origin + diagonal + 1]! : reach[origin + diagonal - 1]! + 1;
      const begun = x;
      while (x < sizeA && x - diagonal < sizeB && a[fromA + x] === b[fromB + x - diagonal]) x += 1;
      steps += x - begun + 1;
      reach[origin + diagonal] = x;
      if (x >= sizeA && x - diagonal >= sizeB) return { blocks: walkBack(trace, sizeA, sizeB, fromA, fromB), steps };
    }
  }
  return { blocks: undefined, steps };
}

function isDown(reach: Int32Array, at: number, diagonal: number, distance: number): boolean {
  return diagonal === -distance || (diagonal !== distance && reach[at - 1]! < reach[at + 1]!);
}

function walkBack(trace: readonly Int32Array[], sizeA: number, sizeB: number, fromA: number, fromB: number): Block[] {
  const blocks: Block[] = [];
  let x = sizeA;
  let y = sizeB;
  for (let distance = trace.length - 1; distance > 0; distance -= 1) {
    const reach = trace[distance]!;
    const at = x - y + distance + 1;
    const down = isDown(reach, at, x - y, distance);
    const prevX = reach[down ? at + 1 : at - 1]!;
    const prevY = prevX - (down ? x - y + 1 : x - y - 1);
    prepend(blocks, {
      fromA: fromA + prevX,
      toA: fromA + prevX + (down ? 0 : 1),
      fromB: fromB + prevY,
      toB: fromB + prevY + (down ? 1 : 0),
    });
    x = prevX;
    y = prevY;
  }
  return blocks.reverse();
}

/** Adds a block that lies before the others (which are kept last first), joined to its neighbour where they touch. */
function prepend(blocks: Block[], block: Block): void {
  const next = blocks.at(-1);
  if (next !== undefined && next.fromA === block.toA && next.fromB === block.toB) {
    blocks[blocks.length - 1] = { ...next, fromA: block.fromA, fromB: block.fromB };
  } else blocks.push(block);
}

interface Counts {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly placeB: Int32Array;
}

interface Anchor {
  readonly a: number;
  readonly b: number;
}

/** Elements that occur once on either side, in an order that holds on both (a longest increasing run). */
function uniqueAnchors(a: Int32Array, b: Int32Array, { fromA, toA, fromB, toB }: Block, counts: Counts): Anchor[] {
  for (let i = fromA; i < toA; i += 1) counts.a[a[i]!]! += 1;
  for (let i = fromB; i < toB; i += 1) {
    counts.b[b[i]!]! += 1;
    counts.placeB[b[i]!] = i;
  }
  const both: Anchor[] = [];
  for (let i = fromA; i < toA; i += 1) {
    const id = a[i]!;
    if (counts.a[id] === 1 && counts.b[id] === 1) both.push({ a: i, b: counts.placeB[id]! });
  }
  for (let i = fromA; i < toA; i += 1) counts.a[a[i]!] = 0;
  for (let i = fromB; i < toB; i += 1) counts.b[b[i]!] = 0;
  return longestRising(both);
}

function longestRising(anchors: readonly Anchor[]): Anchor[] {
  const tails: number[] = [];
  const before = new Int32Array(anchors.length);
  anchors.forEach(({ b }, i) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (anchors[tails[middle]!]!.b < b) low = middle + 1;
      else high = middle;
    }
    before[i] = low === 0 ? -1 : tails[low - 1]!;
    tails[low] = i;
  });
  const rising: Anchor[] = [];
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i]!) rising.push(anchors[i]!);
  return rising.reverse();
}

function* gapsBetween(anchors: readonly Anchor[], { fromA, toA, fromB, toB }: Block): Generator<Block> {
  let nextA = fromA;
  let nextB = fromB;
  for (const { a, b } of anchors) {
    yield { fromA: nextA, toA: a, fromB: nextB, toB: b };
    nextA = a + 1;
    nextB = b + 1;
  }
  yield { fromA: nextA, toA, fromB: nextB, toB };
}
