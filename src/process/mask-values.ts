import { maskText, type TextFilter, unmasked } from './text-filter.ts';

/** Shorter values would mask ordinary words. */
const minLength = 8;
const maxLength = 4096;
/** Values by a hash of their first two characters; `starts` answers "none begins like this" with one look. */
export interface KnownValues {
  readonly starts: Uint8Array;
  readonly byStart: ReadonlyMap<number, readonly string[]>;
  readonly all: readonly string[];
  readonly longest: number;
}

export function knownValues(values: Iterable<string>): KnownValues {
  const starts = new Uint8Array(65_536);
  const byStart = new Map<number, string[]>();
  let longest = 0;
  for (const value of new Set(values)) {
    if (value.length < minLength || value.length > maxLength) continue;
    const start = startOf(value, 0);
    starts[start] = 1;
    byStart.set(
      start,
      [...(byStart.get(start) ?? []), value].sort((a, b) => b.length - a.length),
    );
    longest = Math.max(longest, value.length);
  }
  return { starts, byStart, all: [...byStart.values()].flat(), longest };
}

function startOf(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31) ^ (text.charCodeAt(at + 1) << 7)) & 0xffff;
}

/** Masks values that are known. */
export function valueFilter(known: KnownValues): TextFilter {
  if (known.longest === 0) return unmasked();
  let held = '';
  return {
    push(text) {
      const { done, rest } = maskValues(known, held + text, false);
      held = rest;
      return done;
    },
    finish() {
      const { done } = maskValues(known, held, true);
      held = '';
      return done;
    },
  };
}

/** Masks every known value in `text`; unless it is the `last` piece, an end that may become one is the rest. */
function maskValues(known: KnownValues, text: string, last: boolean): { done: string; rest: string } {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    at = nextStart(known.starts, text, at);
    const candidates = at < text.length - 1 ? known.byStart.get(startOf(text, at))! : known.all;
    const left = text.length - at;
    if (
      !last &&
      left < known.longest &&
      candidates.some((one) => one.length > left && one.startsWith(text.slice(at)))
    ) {
      return { done: parts.join('') + text.slice(from, at), rest: text.slice(at) };
    }
    const value = candidates.find((candidate) => text.startsWith(candidate, at));
    if (value !== undefined) {
      parts.push(text.slice(from, at), maskText);
      from = at + value.length;
    }
    at += value?.length ?? 1;
  }
  return { done: parts.length === 0 ? text : parts.join('') + text.slice(from), rest: '' };
}

/** The next place where a value may begin; the last character is one, since its second is not known. */
function nextStart(starts: Uint8Array, text: string, from: number): number {
  const last = text.length - 1;
  let code = text.charCodeAt(from);
  for (let at = from; at < last; at += 1) {
    const next = text.charCodeAt(at + 1);
    if (starts[((code * 31) ^ (next << 7)) & 0xffff] === 1) return at;
    code = next;
  }
  return last;
}
