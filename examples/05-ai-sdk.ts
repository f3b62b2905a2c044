// The tools in the Vercel AI SDK, with its own approval: the first call asks, the second carries the answer.
import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { openGate } from 'benchdog';
import { aiSdkTools } from 'benchdog/ai-sdk';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const call = { path: 'README.md', oldString: 'hello', newString: 'good day' };
const model = new MockLanguageModelV3({
  doGenerate: [
    {
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'edit_file', input: JSON.stringify(call) }],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    },
    {
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    },
  ],
});

const { gate, close } = await openGate({ root: process.argv[2] ?? '.' });
const tools = aiSdkTools(gate);
const messages: ModelMessage[] = [{ role: 'user', content: 'Make the greeting polite.' }];

const asked = await generateText({ model, tools, messages });
messages.push(...asked.response.messages);
for (const part of asked.content) {
  if (part.type !== 'tool-approval-request') continue;
  console.log(`approve ${part.toolCall.toolName}?`);
  messages.push({
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId: part.approvalId, approved: true }],
  });
}
console.log((await generateText({ model, tools, messages })).text);
await close();
