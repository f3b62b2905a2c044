import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/agent/event.ts';
import { follow, settle } from '../../../src/ui/terminal/follow.ts';
import { type Block, emptyView } from '../../../src/ui/terminal/view.ts';

/** All blocks that a turn of these events leaves, settled now and then as frames would. */
function blocksOf(events: readonly AgentEvent[], settleAt: (at: number) => boolean = () => false): Block[] {
  let view = emptyView;
  const blocks: Block[] = [];
  for (const [at, event] of events.entries()) {
    const step = follow(view, event, 0);
    view = step.view;
    blocks.push(...step.blocks);
    if (!settleAt(at)) continue;
    const settled = settle(view);
    view = settled.view;
    blocks.push(...settled.blocks);
  }
  return blocks;
}

const answers = (blocks: readonly Block[]) => blocks.flatMap((block) => (block.type === 'answer' ? [block.text] : []));
const usage = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

test('an answer is shown once, however it is cut into pieces and whenever a frame is drawn', () => {
  const block = fc.constantFrom(
    '# A\n\n',
    'some text\n\n',
    '- a\n- b\n\n',
    '> q\n\n',
    '| a |\n|---|\n| 1 |\n\n',
    '```ts\nx\n```\n\n',
  );
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 60, maxLength: 60 });
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), cuts, fc.nat(5), (parts, sizes, every) => {
      const text = parts.join('');
      const events: AgentEvent[] = [];
      for (let from = 0, at = 0; from < text.length; at += 1) {
        const to = from + sizes[at % sizes.length]!;
        events.push({ type: 'delta', of: 'text', text: text.slice(from, to) });
        from = to;
      }
      const all = [...events, { type: 'text', text } as const, { type: 'usage', step: 1, usage } as const];
      expect(
        answers(blocksOf(all, (at) => at % (every + 1) === 0))
          .join('')
          .trim(),
      ).toBe(text.trim());
    }),
  );
});

test('a long fenced block goes to the scrollback while it grows, and no line of it twice', () => {
  const code = Array.from({ length: 200 }, (_, at) => `const a${at} = ${at};\n`);
  const events = ['```ts\n', ...code, '```\n'].map((text): AgentEvent => ({ type: 'delta', of: 'text', text }));
  const shown = answers(blocksOf([...events, { type: 'text', text: '' }], () => true));
  expect(shown.length).toBeGreaterThan(3);
  const lines = shown
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('const'));
  expect(lines).toEqual(code.map((line) => line.trimEnd()));
});

test('text that came without deltas is shown, text that streamed not again', () => {
  expect(answers(blocksOf([{ type: 'text', text: 'whole' }]))).toEqual(['whole']);
  expect(
    answers(
      blocksOf([
        { type: 'delta', of: 'text', text: 'whole' },
        { type: 'text', text: 'whole' },
      ]),
    ),
  ).toEqual(['whole']);
});

test('two answers of one turn are both shown', () => {
  const one: AgentEvent[] = [
    { type: 'delta', of: 'text', text: 'one' },
    { type: 'text', text: 'one' },
    { type: 'usage', step: 1, usage },
    { type: 'tool-start', callId: 'c', tool: 'glob', arguments: '{}' },
    { type: 'tool-result', callId: 'c', tool: 'glob', text: 'a', changes: [] },
    { type: 'delta', of: 'text', text: 'two' },
    { type: 'text', text: 'two' },
  ];
  expect(answers(blocksOf(one))).toEqual(['one', 'two']);
});

test('reasoning is told once, before what follows it', () => {
  const blocks = blocksOf([
    { type: 'delta', of: 'reasoning', text: 'let me see' },
    { type: 'delta', of: 'text', text: 'Yes.' },
    { type: 'reasoning', text: 'let me see' },
    { type: 'text', text: 'Yes.' },
  ]);
  expect(blocks.map(({ type }) => type)).toEqual(['thought', 'answer']);
});

test('the call whose arguments stream is named until it begins', () => {
  const writing = follow(emptyView, { type: 'delta', of: 'arguments', tool: 'edit_file', text: '{"pa' }, 0).view;
  expect(writing.writing).toEqual({ tool: 'edit_file', size: 4 });
  const begun = follow(writing, { type: 'tool-start', callId: 'c', tool: 'edit_file', arguments: '{}' }, 0).view;
  expect([begun.writing, begun.calls.length]).toEqual([undefined, 1]);
});

test('a try that failed leaves what it said, with a note, and the next one is shown whole', () => {
  const blocks = blocksOf([
    { type: 'delta', of: 'text', text: 'half an ans' },
    { type: 'notice', code: 'retry', text: 'The connection broke. Trying again in 1.0 s.' },
    { type: 'delta', of: 'text', text: 'The answer.' },
    { type: 'text', text: 'The answer.' },
  ]);
  expect(answers(blocks)).toEqual(['half an ans', 'The answer.']);
  expect(blocks[1]).toMatchObject({ type: 'note', style: 'warn' });
});

test('output of a call is kept to its end', () => {
  let view = follow(emptyView, { type: 'tool-start', callId: 'c', tool: 'bash', arguments: '{}' }, 0).view;
  for (let at = 0; at < 100; at += 1) {
    view = follow(view, { type: 'tool-output', callId: 'c', stream: 'stdout', text: 'x'.repeat(1000) }, 0).view;
  }
  expect(view.calls[0]!.output.length).toBeLessThanOrEqual(9000);
});

test('tokens and money add up; the context is what the last request had', () => {
  const first = follow(emptyView, { type: 'usage', step: 1, usage, cost: 0.25 }, 0).view;
  const second = follow(first, { type: 'usage', step: 2, usage: { ...usage, input: 30 }, cost: 0.5 }, 0).view;
  expect([second.tokens, second.contextTokens, second.cost]).toEqual([{ input: 40, output: 4 }, 32, 0.75]);
});
