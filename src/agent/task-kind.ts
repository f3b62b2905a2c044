import type { CallPart } from '../model/model.ts';

/** What a subagent is for. `explore` and `review` only read; a `worker` has its parent's tools and passes its parent's gate. */
export const taskKinds = ['explore', 'review', 'worker'] as const;

export type TaskKind = (typeof taskKinds)[number];

/** True for a `task` call that can change nothing, so that several may run at once. */
export function isReadingTask({ tool, arguments: text }: CallPart): boolean {
  if (tool !== 'task') return false;
  try {
    return (JSON.parse(text) as { kind?: unknown }).kind !== 'worker';
  } catch {
    return true;
  }
}
