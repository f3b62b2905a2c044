import type { Dialog } from './dialog.ts';

/** Dialogs one after another: calls that run side by side may ask at the same time. */
export interface Dialogs {
  /** The one that has the keys. */
  current(): Dialog | undefined;
  /** Opens a dialog when its turn comes; resolves to its answer, or to what cancelling it gives when the signal fires. */
  open<T>(make: (done: (answer: T) => void) => Dialog, signal?: AbortSignal): Promise<T>;
  cancelAll(): void;
}

/** @param onChange another dialog has the keys, or none */
export function createDialogs(onChange: () => void): Dialogs {
  let waiting: Dialog[] = [];
  return {
    current: () => waiting[0],
    open(make, signal) {
      return new Promise((resolve) => {
        const dialog = make((answer) => {
          waiting = waiting.filter((one) => one !== dialog);
          signal?.removeEventListener('abort', cancel);
          resolve(answer);
          onChange();
        });
        const cancel = () => dialog.cancel();
        waiting = [...waiting, dialog];
        signal?.addEventListener('abort', cancel, { once: true });
        onChange();
        if (signal?.aborted) cancel();
      });
    },
    cancelAll() {
      for (const dialog of waiting) dialog.cancel();
    },
  };
}
