import { eventsOf, isResult, type ResultRecord, type SessionRecord } from './record.ts';

/** A result shorter than this is not worth dropping: the line that stands for it is as long. */
const worthDropping = 400;

/**
 * The results whose text may go, oldest first, so that those kept hold at most `keep` characters. What the last step
 * brought always stays.
 */
export function droppable(records: readonly SessionRecord[], keep: number): ResultRecord[] {
  const dropped = new Set(eventsOf(records, 'pruned').flatMap(({ callIds }) => callIds));
  const from = eventsOf(records, 'compacted').at(-1)?.from ?? 0;
  const lastStep = records.findLastIndex((record) => 'role' in record && record.role === 'assistant');
  const results = records.slice(0, Math.max(0, lastStep)).filter(isResult);
  let room = keep;
  const old: ResultRecord[] = [];
  for (const result of results.toReversed()) {
    room -= result.result.length;
    const isOld = room < 0 && result.id >= from && !dropped.has(result.callId);
    if (isOld && result.result.length > worthDropping) old.push(result);
  }
  return old.reverse();
}
