import type { Patch } from './git-patch.ts';
import type { Section } from './git-sections.ts';

/** How a dialect limits its diff. */
export interface Cut {
  readonly limit: number;
  readonly unit: 'chars' | 'bytes';
  /** The note behind a cut text. `amount` of `unit` is missing. */
  note(amount: number): string;
}

export interface Shown {
  readonly text: string;
  /** Names of files whose sections are complete. */
  readonly complete: readonly string[];
}

/** Puts a patch together up to the limit; a section that does not fit is cut at a line's end. */
export function cutPatch(patches: readonly Patch[], cut: Cut): Shown {
  const parts: string[] = [];
  const complete: string[] = [];
  let used = 0;
  let missing = patches.reduce((sum, patch) => sum + patch.beyond, 0);
  for (const { name, text } of patches.flatMap(keptWhole)) {
    const size = sizeOf(text, cut.unit);
    if (missing === 0 || used < cut.limit) {
      const shown = used + size <= cut.limit ? text : beginning(text, cut.limit - used, cut.unit);
      parts.push(shown);
      if (shown === text && name !== undefined) complete.push(name);
      missing += size - sizeOf(shown, cut.unit);
      used = shown === text ? used + size : cut.limit;
    } else missing += size;
  }
  const whole = parts.join('');
  return { text: missing > 0 ? `${whole}${cut.note(missing)}` : whole, complete };
}

/** The last section of a patch that was not kept whole is not whole either. */
function keptWhole({ sections, beyond }: Patch): readonly Section[] {
  return beyond === 0
    ? sections
    : sections.map((section, at) => (at < sections.length - 1 ? section : { text: section.text }));
}

function sizeOf(text: string, unit: Cut['unit']): number {
  return unit === 'bytes' ? Buffer.byteLength(text) : text.length;
}

function beginning(text: string, room: number, unit: Cut['unit']): string {
  const start = unit === 'bytes' ? Buffer.from(text.slice(0, room)).subarray(0, room).toString() : text.slice(0, room);
  return start.slice(0, start.lastIndexOf('\n') + 1);
}
