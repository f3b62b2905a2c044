import type { ToolState } from '../tool/state.ts';
import { slot } from '../tool/state.ts';
import type { AgentEvent } from './event.ts';
import type { Turn } from './turn.ts';

/** The turn that a session is in, for tools that belong to a turn (`task`) and for those who report into it. */
export const turnSlot = slot<{ turn: Turn | undefined }>(() => ({ turn: undefined }));

/** Puts an event into the turn under way; without one nobody is listening. An approver reports `approval` with it. */
export function report(state: ToolState, event: AgentEvent): void {
  state.get(turnSlot).turn?.emit(event);
}
