/** Gives equal lines equal numbers. Lines are never copied: the table holds where each was first seen. */
export interface LineTable {
  /** The number of the line that `bytes` holds from `from` to `to`. */
  number(bytes: Buffer, from: number, to: number): number;
  /** How many different lines there are. */
  size(): number;
}

interface Seen {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** @param most the number of lines that will be asked for at most. */
export function lineTable(most: number): LineTable {
  const slots = 2 ** Math.ceil(Math.log2(2 * most + 2));
  // 0 is free; otherwise the line's number and one.
  const table = new Int32Array(slots);
  const lines: Seen[] = [];
  return {
    number(bytes, from, to) {
      let slot = hash(bytes, from, to) & (slots - 1);
      for (; table[slot] !== 0; slot = (slot + 1) & (slots - 1)) {
        if (equal(lines[table[slot]! - 1]!, bytes, from, to)) return table[slot]! - 1;
      }
      lines.push({ bytes, from, to });
      table[slot] = lines.length;
      return lines.length - 1;
    },
    size: () => lines.length,
  };
}

/** A fresh start value each run, so that nobody can prepare lines that all fall into one slot. */
const seed = Math.floor(Math.random() * 0x7fffffff);

function hash(bytes: Buffer, from: number, to: number): number {
  let sum = seed;
  for (let at = from; at < to; at += 1) sum = Math.imul(sum ^ bytes[at]!, 0x01000193);
  return sum ^ (sum >>> 15);
}

function equal(seen: Seen, bytes: Buffer, from: number, to: number): boolean {
  if (seen.to - seen.from !== to - from) return false;
  for (let at = from, other = seen.from; at < to; at += 1, other += 1) {
    if (bytes[at] !== seen.bytes[other]) return false;
  }
  return true;
}
