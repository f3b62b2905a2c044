/** Stops what is running without ending the turn: ctrl-c in a terminal. */
export interface Interrupter {
  /** Stops the commands that are running. False when there was none. */
  interrupt(): boolean;
  /** For the loop: `stop` is called on an interrupt until the returned function is. */
  watch(stop: () => void): () => void;
}

export function createInterrupter(): Interrupter {
  const running = new Set<() => void>();
  return {
    interrupt() {
      const any = running.size > 0;
      for (const stop of running) stop();
      return any;
    },
    watch(stop) {
      running.add(stop);
      return () => void running.delete(stop);
    },
  };
}
