import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import { toPrompt } from './ai-sdk-prompt.ts';
import { ModelError } from './error.ts';
import { asModelError } from './fault.ts';
import type { FinishReason, ModelEvent, ModelRequest, PartMeta, Usage } from './model.ts';

export interface AiSdkOptions {
  /** Given with every request, e.g. `{ openai: { store: false } }`. */
  readonly providerOptions?: SharedV3ProviderOptions;
  /** Marks for prompt caching: after the stable instructions and after the last message. */
  readonly cacheMark?: SharedV3ProviderOptions;
  /** Words that must never appear in an error text: the key. */
  readonly secrets: readonly string[];
}

/** Streams one answer from a provider of the AI SDK, called directly through its language-model interface. */
export async function* streamAiSdk(
  model: LanguageModelV3,
  request: ModelRequest,
  signal: AbortSignal,
  options: AiSdkOptions,
): AsyncGenerator<ModelEvent> {
  try {
    const { stream } = await model.doStream(callOptions(request, signal, options));
    yield* readParts(stream as unknown as AsyncIterable<LanguageModelV3StreamPart>, options);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw asModelError(error, options.secrets);
  }
}

function callOptions(request: ModelRequest, signal: AbortSignal, options: AiSdkOptions): LanguageModelV3CallOptions {
  const tools = request.tools.map(({ name, description, input }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: input,
  }));
  return {
    prompt: toPrompt(request, options.cacheMark),
    ...(tools.length > 0 ? { tools, toolChoice: { type: 'auto' } } : {}),
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(options.providerOptions ? { providerOptions: options.providerOptions } : {}),
    abortSignal: signal,
  };
}

/** What has been streamed of the blocks that are still open, by the provider's block id. */
type OpenBlocks = Map<string, { text: string; meta?: PartMeta }>;

async function* readParts(
  stream: AsyncIterable<LanguageModelV3StreamPart>,
  options: AiSdkOptions,
): AsyncGenerator<ModelEvent> {
  const open: OpenBlocks = new Map();
  const inputs = new Map<string, string>();
  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        open.set(part.id, { text: '', ...metaOf(part) });
        break;
      case 'text-delta':
      case 'reasoning-delta':
        yield* grow(open, part);
        break;
      case 'text-end':
      case 'reasoning-end':
        yield* close(open, part);
        break;
      case 'tool-input-start':
        inputs.set(part.id, part.toolName);
        break;
      case 'tool-input-delta':
        yield { type: 'delta', of: 'arguments', tool: inputs.get(part.id) ?? '', text: part.delta };
        break;
      case 'tool-call':
        if (part.providerExecuted) break;
        yield { type: 'part', part: callPart(part) };
        break;
      case 'error':
        throw asModelError(part.error, options.secrets, 'garbled');
      case 'finish':
        if (isUnfinished(part.finishReason)) throw new ModelError('garbled', 'The answer stopped before its end.');
        yield { type: 'finish', reason: finishOf(part.finishReason), usage: usageOf(part.usage) };
        return;
    }
  }
  throw new ModelError('garbled', 'The answer stopped before its end.');
}

type DeltaPart = Extract<LanguageModelV3StreamPart, { type: 'text-delta' | 'reasoning-delta' }>;
type EndPart = Extract<LanguageModelV3StreamPart, { type: 'text-end' | 'reasoning-end' }>;

function* grow(open: OpenBlocks, part: DeltaPart): Generator<ModelEvent> {
  const block = open.get(part.id) ?? { text: '' };
  open.set(part.id, { text: block.text + part.delta, ...mergeMeta(block.meta, part) });
  if (part.delta === '') return;
  yield { type: 'delta', of: part.type === 'text-delta' ? 'text' : 'reasoning', text: part.delta };
}

function* close(open: OpenBlocks, part: EndPart): Generator<ModelEvent> {
  const block = open.get(part.id);
  open.delete(part.id);
  if (block === undefined) return;
  const type = part.type === 'text-end' ? 'text' : 'reasoning';
  const meta = mergeMeta(block.meta, part);
  if (block.text === '' && meta.meta === undefined) return;
  yield { type: 'part', part: { type, text: block.text, ...meta } };
}

function callPart(part: Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>) {
  return {
    type: 'call' as const,
    callId: part.toolCallId,
    tool: part.toolName,
    arguments: part.input,
    ...metaOf(part),
  };
}

function metaOf(part: { providerMetadata?: unknown }): { meta?: PartMeta } {
  const meta = part.providerMetadata as PartMeta | undefined;
  return meta === undefined ? {} : { meta };
}

function mergeMeta(before: PartMeta | undefined, part: { providerMetadata?: unknown }): { meta?: PartMeta } {
  const { meta } = metaOf(part);
  if (before === undefined || meta === undefined) return meta || before ? { meta: (meta ?? before) as PartMeta } : {};
  const names = new Set([...Object.keys(before), ...Object.keys(meta)]);
  return { meta: Object.fromEntries([...names].map((name) => [name, { ...before[name], ...meta[name] }])) };
}

/** Some providers close a stream that was cut off as if it had ended; they have no reason to give then. */
function isUnfinished({ unified, raw }: LanguageModelV3FinishReason): boolean {
  return unified === 'error' || (unified === 'other' && raw === undefined);
}

function finishOf({ unified }: LanguageModelV3FinishReason): FinishReason {
  switch (unified) {
    case 'stop':
    case 'length':
      return unified;
    case 'tool-calls':
      return 'calls';
    case 'content-filter':
      return 'refused';
    default:
      return 'other';
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  return {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    cacheRead: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
  };
}
