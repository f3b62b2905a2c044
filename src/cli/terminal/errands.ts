import { createInterrupter, type Interrupter } from '../../agent/interrupt.ts';

/** Something that takes time: a turn, a command of the person's own, condensing the conversation. */
export interface Errand {
  /** As it stands in the queue. */
  readonly text: string;
  run(context: { readonly signal: AbortSignal; readonly interrupter: Interrupter }): Promise<void>;
}

/** Errands one after another. */
export interface Errands {
  /** Runs it now, or when those before it are over. */
  add(errand: Errand): void;
  busy(): boolean;
  waiting(): readonly string[];
  /** Ends the one that runs. Those that wait are not begun: their texts are given back. */
  abort(): readonly string[];
  /** Ends what commands run. Without one, ends the errand. False when there is nothing to end. */
  interrupt(): boolean;
  /** When all is over. */
  settled(): Promise<void>;
}

/**
 * @param onChange something begins, ends or waits
 * @param onError what an errand threw; the next one begins
 */
export function createErrands(onChange: () => void, onError: (error: unknown) => void): Errands {
  let queue: Errand[] = [];
  let current: { readonly stop: AbortController; readonly interrupter: Interrupter } | undefined;
  let running: Promise<void> = Promise.resolve();
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const stop = new AbortController();
      const interrupter = createInterrupter();
      current = { stop, interrupter };
      onChange();
      await next.run({ signal: stop.signal, interrupter }).catch(onError);
      current = undefined;
    }
    onChange();
  };
  const abort = () => {
    const dropped = queue.map(({ text }) => text);
    queue = [];
    current?.stop.abort();
    onChange();
    return dropped;
  };
  return {
    add(errand) {
      queue.push(errand);
      if (current === undefined) running = work();
      else onChange();
    },
    busy: () => current !== undefined,
    waiting: () => queue.map(({ text }) => text),
    abort,
    interrupt() {
      if (current === undefined) return false;
      if (!current.interrupter.interrupt()) current.stop.abort();
      return true;
    },
    settled: () => running,
  };
}
