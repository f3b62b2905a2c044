import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uniqueCallIds } from '../../src/agent/call-id.ts';
import { createChannel } from '../../src/agent/channel.ts';
import { worstExit } from '../../src/agent/event.ts';
import { memorySession, type NewRecord } from '../../src/agent/record.ts';
import { messagesOf } from '../../src/agent/transcript.ts';
import { runs } from '../support/runs.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd');
const record: fc.Arbitrary<NewRecord> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), text: fc.string() }),
  fc.record({
    role: fc.constant('assistant' as const),
    parts: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text: fc.string() }),
        fc.record({ type: fc.constant('call' as const), callId: id, tool: fc.constant('t'), arguments: fc.string() }),
      ),
      { maxLength: 3 },
    ),
  }),
  fc.record({ role: fc.constant('tool' as const), callId: id, tool: fc.constant('t'), result: fc.string() }),
  fc.record({ type: fc.constant('started' as const), callId: id }),
  fc.record({ type: fc.constant('pruned' as const), callIds: fc.array(id) }),
  fc.record({ type: fc.constant('compacted' as const), summary: fc.string(), from: fc.nat(20) }),
);

test('whatever the log holds, every call is followed at once by exactly one result, and users never come twice', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), (records) => {
      const session = memorySession();
      for (const one of records) session.append(one);
      const messages = messagesOf(session.records);
      for (const [at, message] of messages.entries()) {
        const next = messages[at + 1];
        if (message.role === 'user') expect(next?.role).not.toBe('user');
        if (message.role === 'tool') expect(messages[at - 1]?.role).toBe('assistant');
        if (message.role !== 'assistant') continue;
        const asked = message.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
        const answered = next?.role === 'tool' ? next.results.map(({ callId }) => callId) : [];
        expect(answered).toEqual(asked);
      }
    }),
    runs(100),
  );
});

test('ids become legal and unique whatever a provider sends', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('x', 'x-2', '')), { maxLength: 12 }), (ids) => {
      const taken = new Set<string>();
      const parts = ids.map((callId) => ({ type: 'call' as const, callId, tool: 't', arguments: '' }));
      const made = uniqueCallIds(parts, taken).map((part) => (part.type === 'call' ? part.callId : ''));
      expect(new Set(made).size).toBe(ids.length);
      expect(made.every((one) => /^[a-zA-Z0-9_-]{1,64}$/.test(one))).toBe(true);
    }),
    runs(100),
  );
});

test('exit codes: 130 > 2 > 1 > 5 > 3 > 4 > 0', () => {
  const order = [0, 4, 3, 5, 1, 2, 130] as const;
  for (const [at, code] of order.entries()) expect(worstExit(order.slice(0, at + 1))).toBe(code);
  expect(worstExit([])).toBe(0);
});

test('a channel gives everything that was put, in order, also what came before the reader', async () => {
  const channel = createChannel<number>();
  channel.put(1);
  setTimeout(() => {
    channel.put(2);
    channel.put(3);
    channel.end();
  }, 1);
  const read: number[] = [];
  for await (const item of channel) read.push(item);
  expect(read).toEqual([1, 2, 3]);
});
