import type { ServerReply } from './model-server.ts';

type Json = Record<string, unknown>;

/** One protocol: how a reply becomes events, and events bytes. */
export interface Wire {
  readonly path: string;
  /** How many of the last events close the answer. */
  readonly ending: number;
  readonly done?: string;
  events(reply: ServerReply): Json[];
  error(error: NonNullable<ServerReply['errorEvent']>): Json;
  frame(event: Json): string;
}

const usageOf = (reply: ServerReply) => ({ input: 100, output: 10, cached: 0, ...reply.usage });

/** Text in pieces, so that streams have a middle. */
function pieces(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 3));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

function callsOf(reply: ServerReply) {
  return (reply.calls ?? []).map(({ id, tool, arguments: given = {} }, at) => ({
    id: id ?? `call_${at + 1}`,
    tool,
    text: typeof given === 'string' ? given : JSON.stringify(given),
  }));
}

/** OpenAI chat completions: https://platform.openai.com/docs/api-reference/chat-streaming */
const chat: Wire = {
  path: '/chat/completions',
  ending: 2,
  done: 'data: [DONE]\n\n',
  frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
  error: (error) => ({ error }),
  events(reply) {
    const chunk = (delta: Json, finish: string | null = null) => ({
      id: 'chat-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'test',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const { input, output, cached } = usageOf(reply);
    const calls = callsOf(reply);
    const finish = reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(reply.reasoning ?? '').map((text) => chunk({ reasoning_content: text })),
      ...pieces(reply.text ?? '').map((text) => chunk({ content: text })),
      ...calls.flatMap(({ id, tool, text }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] }),
        ...pieces(text).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
      chunk({}, finish),
      {
        id: 'chat-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'test',
        choices: [],
        usage: {
          prompt_tokens: input,
          completion_tokens: output,
          total_tokens: input + output,
          prompt_tokens_details: { cached_tokens: cached },
        },
      },
    ];
  },
};

/** Anthropic messages: https://docs.anthropic.com/en/api/messages-streaming */
const messages: Wire = {
  path: '/messages',
  ending: 2,
  frame: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  error: ({ type, message }) => ({ type: 'error', error: { type, message } }),
  events(reply) {
    const { input, output, cached } = usageOf(reply);
    const blocks: [Json, Json[]][] = [];
    if (reply.reasoning !== undefined) {
      const deltas = pieces(reply.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }));
      blocks.push([
        { type: 'thinking', thinking: '', signature: '' },
        [...deltas, { type: 'signature_delta', signature: 'signed' }],
      ]);
    }
    if (reply.text !== undefined) {
      blocks.push([{ type: 'text', text: '' }, pieces(reply.text).map((text) => ({ type: 'text_delta', text }))]);
    }
    for (const { id, tool, text } of callsOf(reply)) {
      const deltas = pieces(text).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      blocks.push([{ type: 'tool_use', id, name: tool, input: {} }, deltas]);
    }
    const calls = callsOf(reply).length > 0;
    const cut = { length: 'max_tokens', content_filter: 'refusal' };
    const stop = reply.finish === undefined ? (calls ? 'tool_use' : 'end_turn') : cut[reply.finish];
    return [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'test',
          content: [],
          stop_reason: null,
          usage: {
            input_tokens: input,
            output_tokens: 1,
            cache_read_input_tokens: cached,
            cache_creation_input_tokens: 0,
          },
        },
      },
      ...blocks.flatMap(([content_block, deltas], index) => [
        { type: 'content_block_start', index, content_block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: output } },
      { type: 'message_stop' },
    ];
  },
};

/** OpenAI responses: https://platform.openai.com/docs/api-reference/responses-streaming */
const responses: Wire = {
  path: '/responses',
  ending: 1,
  frame: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  error: (error) => ({ type: 'error', sequence_number: 3, error: { param: null, code: null, ...error } }),
  events(reply) {
    const { input, output, cached } = usageOf(reply);
    const items: Json[][] = [];
    const at = () => items.length;
    if (reply.reasoning !== undefined) items.push(reasoningItem(reply.reasoning, at()));
    if (reply.text !== undefined) items.push(messageItem(reply.text, at()));
    for (const call of callsOf(reply)) items.push(callItem(call, at()));
    const reasons = { length: 'max_output_tokens', content_filter: 'content_filter' };
    const incomplete = reply.finish === undefined ? undefined : reasons[reply.finish];
    return [
      { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'test' } },
      ...items.flat(),
      {
        type: incomplete ? 'response.incomplete' : 'response.completed',
        response: {
          id: 'resp_1',
          incomplete_details: incomplete ? { reason: incomplete } : null,
          usage: {
            input_tokens: input,
            input_tokens_details: { cached_tokens: cached },
            output_tokens: output,
            output_tokens_details: { reasoning_tokens: 0 },
          },
        },
      },
    ];
  },
};

function reasoningItem(text: string, output_index: number): Json[] {
  const item = { type: 'reasoning', id: `rs_${output_index}`, encrypted_content: 'sealed', summary: [] };
  const base = { item_id: item.id, output_index, summary_index: 0 };
  return [
    { type: 'response.output_item.added', output_index, item },
    { type: 'response.reasoning_summary_part.added', ...base },
    ...pieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...base, delta })),
    { type: 'response.output_item.done', output_index, item },
  ];
}

function messageItem(text: string, output_index: number): Json[] {
  const item = { type: 'message', id: `msg_${output_index}` };
  return [
    { type: 'response.output_item.added', output_index, item },
    ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', item_id: item.id, output_index, delta })),
    { type: 'response.output_item.done', output_index, item },
  ];
}

function callItem(call: { id: string; tool: string; text: string }, output_index: number): Json[] {
  const item = { type: 'function_call', id: `fc_${output_index}`, call_id: call.id, name: call.tool };
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } },
    ...pieces(call.text).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id: item.id,
      output_index,
      delta,
    })),
    {
      type: 'response.output_item.done',
      output_index,
      item: { ...item, arguments: call.text, status: 'completed' },
    },
  ];
}

export const wires: readonly Wire[] = [chat, messages, responses];
