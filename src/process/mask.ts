import { keyFilter } from './mask-keys.ts';
import { tokenFilter } from './mask-tokens.ts';
import { knownValues, valueFilter } from './mask-values.ts';
import type { Masker, TextFilter } from './text-filter.ts';

/**
 * Masks known values (8 to 4096 characters; others are ignored), token shapes and private key blocks, across the borders of
 * pieces, in time linear in the text.
 */
export function masker(values: Iterable<string>): Masker {
  const known = knownValues(values);
  return () => chain(keyFilter(), valueFilter(known), tokenFilter());
}

function chain(...filters: readonly TextFilter[]): TextFilter {
  return {
    push: (text) => filters.reduce((rest, filter) => filter.push(rest), text),
    finish: () => filters.reduce((rest, filter) => filter.push(rest) + filter.finish(), ''),
  };
}
