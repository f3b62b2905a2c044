import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateText, type ModelMessage, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aiSdkTools } from '../../src/extend/ai-sdk.ts';
import type { Answer, ApprovalRequest } from '../../src/gate/approver.ts';
import { openGate } from '../../src/open-gate.ts';
import type { OpenedGate, OpenGateOptions } from '../../src/open-gate-options.ts';
import { tempFolder } from '../support/folders.ts';

let root: string;
let opened: OpenedGate;

beforeEach(() => {
  root = tempFolder();
  writeFileSync(join(root, 'a.txt'), 'one\n');
  writeFileSync(join(root, '.env'), 'SECRET=abcdefghij\n');
});
afterEach(() => opened.close());

async function open(options: OpenGateOptions = {}) {
  opened = await openGate({ root, home: tempFolder(), ...options });
  return opened.gate;
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** Gives the calls of each step in turn, then ends. */
function model(...steps: (readonly ScriptedCall[])[]) {
  const answers = steps.map((calls) => ({
    content: calls.map(({ id, tool, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: tool,
      input: JSON.stringify(input),
    })),
    finishReason: { unified: 'tool-calls' as const, raw: undefined },
    usage,
    warnings: [],
  }));
  const end = {
    content: [{ type: 'text' as const, text: 'Done.' }],
    finishReason: { unified: 'stop' as const, raw: undefined },
    usage,
    warnings: [],
  };
  return new MockLanguageModelV3({ doGenerate: [...answers, end] });
}

/** What the model was told of its calls with its last request. */
function toldTo(mock: MockLanguageModelV3): unknown[] {
  return mock.doGenerateCalls
    .at(-1)!
    .prompt.filter(({ role }) => role === 'tool')
    .flatMap(({ content }) => content as readonly { type: string; output?: unknown }[])
    .flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
}

const write = { id: 'w1', tool: 'write_file', input: { path: 'new.txt', content: 'made\n' } };

test('an allowed call runs at once; the model gets its text, the program its changes too', async () => {
  const tools = aiSdkTools(await open({ permission: { write_file: 'allow' } }));
  const mock = model([write]);
  const result = await generateText({ model: mock, tools, prompt: 'go', stopWhen: stepCountIs(3) });
  expect(result.steps[0]!.toolResults.map(({ output }) => output)).toEqual([
    {
      ok: true,
      text: 'created new.txt (5 bytes)',
      changes: [{ type: 'create', path: 'new.txt', added: 1, removed: 0 }],
    },
  ]);
  expect(toldTo(mock)).toEqual([{ type: 'text', value: 'created new.txt (5 bytes)' }]);
  expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('made\n');
});

async function ask(answer: boolean, mock: MockLanguageModelV3) {
  const gate = await open();
  const messages: ModelMessage[] = [{ role: 'user', content: 'go' }];
  const first = await generateText({ model: mock, tools: aiSdkTools(gate), messages, stopWhen: stepCountIs(3) });
  expect(existsSync(join(root, 'new.txt'))).toBe(false);
  messages.push(...first.response.messages);
  const requests = first.content.filter((part) => part.type === 'tool-approval-request');
  expect(requests.map(({ toolCall }) => toolCall.toolCallId)).toEqual(['w1']);
  const approvals = requests.map(({ approvalId }) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    approved: answer,
    reason: 'because',
  }));
  messages.push({ role: 'tool', content: approvals });
  // Made anew, as a server that keeps nothing between requests would.
  await generateText({ model: mock, tools: aiSdkTools(gate), messages, stopWhen: stepCountIs(3) });
}

test('an asked call waits for an approval in the messages, and is then carried out', async () => {
  const mock = model([write]);
  await ask(true, mock);
  expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('made\n');
  expect(toldTo(mock)).toEqual([{ type: 'text', value: 'created new.txt (5 bytes)' }]);
});

test('a declined call never runs; the model gets the reason', async () => {
  const mock = model([write]);
  await ask(false, mock);
  expect(existsSync(join(root, 'new.txt'))).toBe(false);
  expect(toldTo(mock)).toEqual([{ type: 'execution-denied', reason: 'because' }]);
});

test('a denied call is not asked: the denial goes to the model as an error', async () => {
  const tools = aiSdkTools(await open());
  const mock = model([{ id: 'r1', tool: 'read_file', input: { path: '.env' } }]);
  await generateText({ model: mock, tools, prompt: 'go', stopWhen: stepCountIs(3) });
  const [told] = toldTo(mock) as { type: string; value: string }[];
  expect(told!.type).toBe('error-text');
  expect(told!.value).toMatch(/^read_file \.env is denied by /);
  expect(JSON.stringify(mock.doGenerateCalls)).not.toContain('abcdefghij');
});

test('wrong arguments are told to the model and asked of nobody', async () => {
  const tools = aiSdkTools(await open());
  const mock = model([{ id: 'w1', tool: 'write_file', input: { path: 'a.txt', contents: 'x' } }]);
  await generateText({ model: mock, tools, prompt: 'go', stopWhen: stepCountIs(3) });
  expect(toldTo(mock)).toEqual([
    {
      type: 'error-text',
      value:
        'invalid write_file arguments: field "content" is required (string). Expected: {"path": string, "content": string}',
    },
  ]);
});

const options = { toolCallId: 'w1', messages: [] as ModelMessage[] };

test('a version of the SDK that knows no approvals runs nothing that needs one', async () => {
  const tool = aiSdkTools(await open()).write_file!;
  await expect(async () => tool.execute!(write.input, options)).rejects.toMatchObject({ code: 'denied' });
  expect(existsSync(join(root, 'new.txt'))).toBe(false);
});

test('an approval of another call is none', async () => {
  const tool = aiSdkTools(await open()).write_file!;
  const messages: ModelMessage[] = [
    { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'w0' }] },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }] },
  ];
  await expect(async () => tool.execute!(write.input, { ...options, messages })).rejects.toMatchObject({
    code: 'denied',
  });
});

test('with `approval: gate` the gate asks, and shows the exact change', async () => {
  const seen: ApprovalRequest[] = [];
  const ask = async (request: ApprovalRequest): Promise<Answer> => {
    seen.push(request);
    return { type: 'once' };
  };
  const tools = aiSdkTools(await open({ approver: { present: true, ask } }), { approval: 'gate' });
  await generateText({ model: model([write]), tools, prompt: 'go', stopWhen: stepCountIs(3) });
  expect(seen.map(({ callId, tool, preview }) => [callId, tool, preview.split('\n').at(-2)])).toEqual([
    ['w1', 'write_file', '+made'],
  ]);
  expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('made\n');
});
