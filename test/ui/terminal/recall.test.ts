import { expect, test } from 'vitest';
import { memorySession } from '../../../src/agent/record.ts';
import { recallBlocks } from '../../../src/ui/terminal/recall.ts';

function session(prompts: readonly string[]) {
  const made = memorySession();
  for (const text of prompts) {
    made.append({ role: 'user', kind: 'prompt', text });
    made.append({ role: 'assistant', parts: [{ type: 'text', text: `answer to ${text}` }] });
  }
  return made;
}

const texts = (prompts: readonly string[]) =>
  recallBlocks(session(prompts).records).map((block) => ('text' in block ? block.text : block.type));

test('a session that is gone on with shows its end: all of a short one, the last three prompts of a long one', () => {
  expect(texts([])).toEqual([]);
  expect(texts(['a'])).toEqual(['a', 'answer to a']);
  expect(texts(['a', 'b', 'c', 'd', 'e'])).toEqual([
    '2 earlier prompts not shown',
    'c',
    'answer to c',
    'd',
    'answer to d',
    'e',
    'answer to e',
  ]);
});

test('calls come back with their arguments and how they ended', () => {
  const made = memorySession();
  made.append({ role: 'user', text: 'go' });
  made.append({
    role: 'assistant',
    parts: [{ type: 'call', callId: 'c', tool: 'glob', arguments: '{"pattern":"*"}' }],
  });
  made.append({ role: 'tool', callId: 'c', tool: 'glob', result: 'denied here', code: 'denied' });
  expect(recallBlocks(made.records)[1]).toEqual({
    type: 'call',
    callId: 'c',
    tool: 'glob',
    arguments: '{"pattern":"*"}',
    end: { type: 'denied', text: 'denied here' },
  });
});
