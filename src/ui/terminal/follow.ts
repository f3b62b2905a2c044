import type { AgentEvent } from '../../agent/event.ts';
import { closingLines } from '../event-line.ts';
import { mostAtOnce, splitGrowing, splitWhole } from './growing.ts';
import type { Block, CallEnd, EventOf, RunningCall, Step, View } from './view.ts';

/** What an event does to the view, and what it finishes. */
export function follow(view: View, event: AgentEvent, now: number): Step {
  switch (event.type) {
    case 'delta':
      return delta(view, event);
    case 'reasoning':
      return still({ ...endThinking(view, event.text).view, thought: false }, endThinking(view, event.text).blocks);
    case 'text':
      return answered(view, event.text);
    case 'tool-start':
      return started(view, event, now);
    case 'tool-output':
      return still(withCall(view, event.callId, (call) => ({ ...call, output: tailOf(call.output + event.text) })));
    case 'approval':
      return still(withCall(view, event.callId, (call) => ({ ...call, asked: event.answer === 'asked', since: now })));
    case 'tool-result':
      return ended(view, event, { type: 'ok', text: event.text, changes: event.changes });
    case 'tool-error':
      return ended(view, event, { type: 'error', code: event.code, text: event.text });
    case 'tool-denied':
      return ended(view, event, { type: 'denied', text: event.text });
    case 'todo':
      return still({ ...view, todos: event.todos });
    case 'subagent':
      return subagent(view, event);
    case 'usage':
      return still(counted(view, event));
    case 'notice':
      return noticed(view, event);
    case 'compacted':
      return still(view, [
        note('muted', `The conversation was condensed: about ${event.before} -> ${event.after} tokens.`),
      ]);
    case 'error':
      return still(view, [note('bad', event.text)]);
    case 'done':
      return done(view, event);
    case 'session':
      return still({ ...view, busy: true });
  }
}

/** Moves the finished blocks of a streaming answer to the scrollback. */
export function settle(view: View): Step {
  if (view.answer === '') return still(view);
  const { finished, rest, within } = splitGrowing(view.answer.slice(0, mostAtOnce));
  if (finished === '') return still(view);
  const answer = rest + view.answer.slice(mostAtOnce);
  return still({ ...view, answer }, [{ type: 'answer', text: finished, within }]);
}

function delta(view: View, event: EventOf<'delta'>): Step {
  if (event.of === 'reasoning') return still({ ...view, thinking: view.thinking + event.text });
  const { view: next, blocks } = endThinking(view, view.thinking);
  if (!('tool' in event)) return still({ ...next, answer: next.answer + event.text, streamed: true }, blocks);
  const { view: said, blocks: answer } = endAnswer(next);
  const size = (view.writing?.tool === event.tool ? view.writing.size : 0) + event.text.length;
  return still({ ...said, writing: { tool: event.tool, size } }, [...blocks, ...answer]);
}

/** Reasoning is told once: when something else begins, or when it comes whole. */
function endThinking(view: View, text: string): Step {
  if (view.thought || text.trim() === '') return still({ ...view, thinking: '' });
  return still({ ...view, thinking: '', thought: true }, [{ type: 'thought', text }]);
}

function endAnswer(view: View): Step {
  if (view.answer.trim() === '') return still({ ...view, answer: '' });
  const parts = splitWhole(view.answer).map(({ finished: text, within }) => ({
    type: 'answer' as const,
    text,
    within,
  }));
  return still({ ...view, answer: '' }, parts);
}

function answered(view: View, text: string): Step {
  const whole = view.streamed ? view : { ...view, answer: text };
  const { view: next, blocks } = endAnswer(whole);
  // Several parts of one answer have streamed as one text: nothing more comes of them.
  return still(next, blocks);
}

function started(view: View, { callId, tool, arguments: args }: EventOf<'tool-start'>, now: number): Step {
  const { view: said, blocks } = endAnswer(view);
  const call: RunningCall = { callId, tool, arguments: args, output: '', asked: false, since: now };
  return still({ ...fresh(said), calls: [...view.calls, call] }, blocks);
}

/** Before the next answer. */
function fresh(view: View): View {
  return { ...view, streamed: false, thought: false, thinking: '', writing: undefined };
}

function ended(view: View, { callId, tool }: { callId: string; tool: string }, end: CallEnd): Step {
  const call = view.calls.find((one) => one.callId === callId);
  const next = {
    ...view,
    calls: view.calls.filter((one) => one.callId !== callId),
    subagents: view.subagents.filter((one) => one.callId !== callId),
  };
  return still(next, [{ type: 'call', callId, tool, arguments: call?.arguments ?? '', end }]);
}

function withCall(view: View, callId: string, change: (call: RunningCall) => RunningCall): View {
  return { ...view, calls: view.calls.map((call) => (call.callId === callId ? change(call) : call)) };
}

const mostOutput = 4000;

function tailOf(text: string): string {
  return text.length > 2 * mostOutput ? text.slice(-mostOutput) : text;
}

function subagent(view: View, { callId, kind, description, text }: EventOf<'subagent'>): Step {
  const others = view.subagents.filter((one) => one.callId !== callId);
  return still({ ...view, subagents: [...others, { callId, kind, description, text }] });
}

function counted(view: View, { usage, cost }: EventOf<'usage'>): View {
  const tokens = { input: view.tokens.input + usage.input, output: view.tokens.output + usage.output };
  const total = cost === undefined ? view.cost : (view.cost ?? 0) + cost;
  return { ...fresh(view), tokens, contextTokens: usage.input + usage.output, cost: total };
}

function noticed(view: View, { code, text }: EventOf<'notice'>): Step {
  if (code !== 'retry') return still(view, [note(code === 'interrupted' ? 'warn' : 'muted', text)]);
  // What has streamed is void; it comes again.
  const { view: next, blocks } = endAnswer(view);
  return still(fresh(next), [...blocks, note('warn', text)]);
}

function done(view: View, event: EventOf<'done'>): Step {
  const { view: said, blocks } = endAnswer(view);
  const tail = closingLines(event);
  const style = event.exit === 0 ? 'muted' : 'warn';
  return still({ ...fresh(said), busy: false, calls: [], subagents: [] }, [
    ...blocks,
    ...(tail === '' ? [] : [note(style, tail)]),
  ]);
}

function note(style: 'muted' | 'warn' | 'bad' | 'good', text: string): Block {
  return { type: 'note', style, text };
}

function still(view: View, blocks: readonly Block[] = []): Step {
  return { view, blocks };
}
