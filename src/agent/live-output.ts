import type { Progress } from '../tool/tool.ts';
import type { AgentEvent } from './event.ts';

/** Characters of live output that one call may put into the events; its result tells the rest. */
const mostLive = 1_000_000;

/** Turns a call's progress into events, until a flood would fill the memory of whoever listens. */
export function liveOutput(callId: string, emit: (event: AgentEvent) => void): (progress: Progress) => void {
  let left = mostLive;
  return (progress) => {
    const stream = progress.type === 'output' ? progress.stream : 'status';
    if (left < 0) return;
    left -= progress.text.length;
    const text = left < 0 ? '\n[more live output is not shown]\n' : progress.text;
    emit({ type: 'tool-output', callId, stream, text });
  };
}
