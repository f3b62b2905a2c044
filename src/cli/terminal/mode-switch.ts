import type { Mode } from '../../gate/modes.ts';

/** The mode of a session, which the person may change at any time. */
export interface ModeSwitch {
  get(): Mode;
  set(mode: Mode): void;
  /** The next of ask, edits and plan; from any other, ask. */
  next(): void;
}

const cycle: readonly Mode[] = ['ask', 'edits', 'plan'];

/** @param fixed the run was started for one mode alone: nothing changes it */
export function createModeSwitch(first: Mode, fixed = false): ModeSwitch {
  let mode = first;
  return {
    get: () => mode,
    set(next) {
      if (!fixed) mode = next;
    },
    next() {
      if (!fixed) mode = cycle[(cycle.indexOf(mode) + 1) % cycle.length]!;
    },
  };
}
