import { setMaxListeners } from 'node:events';

export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the sources and of the timer. A signal that has not fired by then never does. */
  release(): void;
}

/** Milliseconds; Node takes no longer timers. */
const longestTimer = 2 ** 31 - 1;

/**
 * A signal that fires with the first of several, or after `timeoutMs`. Unlike `AbortSignal.any` and
 * `AbortSignal.timeout` it holds what it depends on: in Node 20 and 22 a timeout that only a joined signal knows
 * is collected as garbage, and then nothing ever fires.
 */
export function joinSignals(sources: readonly (AbortSignal | undefined)[], timeoutMs?: number): JoinedSignal {
  const joined = new AbortController();
  const undo: (() => void)[] = [];
  const release = () => {
    for (const step of undo.splice(0)) step();
  };
  const fire = (reason: unknown) => {
    release();
    joined.abort(reason);
  };
  for (const source of sources) {
    if (source === undefined) continue;
    if (source.aborted) fire(source.reason);
    if (joined.signal.aborted) break;
    const pass = () => fire(source.reason);
    setMaxListeners(0, source);
    source.addEventListener('abort', pass);
    undo.push(() => source.removeEventListener('abort', pass));
  }
  if (timeoutMs !== undefined && !joined.signal.aborted) {
    const late = () => fire(new DOMException('The time is over.', 'TimeoutError'));
    const timer = setTimeout(late, Math.min(timeoutMs, longestTimer));
    undo.push(() => clearTimeout(timer));
  }
  return { signal: joined.signal, release };
}

/** Did time run out, rather than a person stopping it? */
export function isTimeOver({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}
