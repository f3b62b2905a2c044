/** Draws when something has changed, not more often than a terminal can show it. */
export interface Frames {
  /** Something has changed. */
  request(): void;
  /** Draws at once, if something has changed. */
  flush(): void;
  stop(): void;
}

/** Milliseconds between two frames: about thirty a second. */
const interval = 33;
/** A frame may take this share of the time: what is dear to draw is drawn less often. */
const share = 10;

export function createFrames(draw: () => void): Frames {
  let timer: NodeJS.Timeout | undefined;
  let wanted = false;
  let stopped = false;
  let last = 0;
  let spent = 0;
  const frame = () => {
    clearTimeout(timer);
    timer = undefined;
    wanted = false;
    const began = performance.now();
    draw();
    last = performance.now();
    spent = last - began;
  };
  return {
    request() {
      if (stopped) return;
      wanted = true;
      if (timer !== undefined) return;
      const due = last + Math.max(interval, spent * share);
      timer = setTimeout(frame, Math.max(0, due - performance.now()));
    },
    flush() {
      if (wanted && !stopped) frame();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
