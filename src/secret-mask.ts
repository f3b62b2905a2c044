import type { DeniedFile } from './extend/denied-files.ts';
import { masker } from './process/mask.ts';
import { secretValues } from './process/secret-values.ts';
import type { Masker } from './process/text-filter.ts';

/**
 * What hides secrets in this session: our `own` keys, the values of files whose reading is denied, and token shapes. Made
 * anew only when those files changed.
 */
export function secretMask(denied: () => readonly DeniedFile[], own: readonly string[]): () => Masker {
  let made: { readonly from: readonly DeniedFile[]; readonly mask: Masker } | undefined;
  return () => {
    const from = denied();
    if (made?.from !== from) {
      made = { from, mask: masker([...own, ...from.flatMap(({ text }) => secretValues(text))]) };
    }
    return made.mask;
  };
}

const freshMs = 1000;

/** The same for whole texts, such as records of a log; looks for changed files at most once a second. */
export function textMask(mask: () => Masker): (text: string) => string {
  let current: { readonly mask: Masker; readonly at: number } | undefined;
  return (text) => {
    const now = Date.now();
    if (current === undefined || now - current.at > freshMs) current = { mask: mask(), at: now };
    const filter = current.mask();
    return filter.push(text) + filter.finish();
  };
}
