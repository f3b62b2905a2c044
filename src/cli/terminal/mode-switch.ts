import type { Mode } from '../../gate/modes.ts';

/** The mode of a session, which the person may change at any time. */
export interface ModeSwitch {
  get(): Mode;
  set(mode: Mode): void;
  /** The next of ask, edits and plan; from any other, ask. */
  next(): void;
}

const cycle: readonly Mode[] = ['ask', 'edits', 'plan'];

export function createModeSwitch(first: Mode): ModeSwitch {
  let mode = first;
  return {
    get: () => mode,
    set(next) {
      mode = next;
    },
    next() {
      mode = cycle[(cycle.indexOf(mode) + 1) % cycle.length]!;
    },
  };
}
