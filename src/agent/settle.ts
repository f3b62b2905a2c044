import { finishCall } from './batch.ts';
import { openCalls } from './transcript.ts';
import type { Turn } from './turn.ts';

export async function settleOpenCalls(turn: Turn): Promise<void> {
  for (const call of openCalls(turn.session.records)) {
    finishCall(call, { ok: false, code: 'interrupted', text: 'x' }, turn);
  }
}
