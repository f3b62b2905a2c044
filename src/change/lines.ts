import { type Haystack, indexOfUnits } from './haystack.ts';

/** The lines (from 1) on which byte offsets, given in rising order, lie. */
export function lineNumbers(hay: Haystack, offsets: readonly number[]): number[] {
  const end = hay.mac ? hay.cr : hay.lf;
  const numbers: number[] = [];
  let line = 1;
  let from = 0;
  for (const offset of offsets) {
    for (;;) {
      const at = indexOfUnits(hay.bytes, end, from, hay.width);
      if (at < 0 || at >= offset) break;
      line += 1;
      from = at + hay.width;
    }
    numbers.push(line);
  }
  return numbers;
}
