import type { LanguageModelV3 } from '@ai-sdk/provider';
import { ToolError } from '../base/error.ts';
import { type AiSdkOptions, streamAiSdk } from './ai-sdk.ts';
import { httpFetch } from './http-fetch.ts';
import type { Model, Price } from './model.ts';
import { readScript, scriptedModel } from './scripted.ts';

export interface ModelChoice {
  /** `provider/id`, or `scripted:FILE`. */
  readonly id: string;
  /** Where the provider is; needed for `openai-compatible`. */
  readonly baseUrl?: string;
  /** Wins over the environment. */
  readonly apiKey?: string;
  /** Tokens that fit in a request and its answer; default by provider and id. */
  readonly contextTokens?: number;
  readonly price?: Price;
  /** Groups requests of one session for the provider's cache. */
  readonly cacheKey?: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What makes a provider of the AI SDK's; loaded only when it is chosen, since each costs start-up time. */
interface Provider {
  readonly keys: readonly string[];
  /** False when requests without a key make sense (local servers). */
  readonly needsKey: boolean;
  baseUrl(env: NodeJS.ProcessEnv): string | undefined;
  contextTokens(id: string): number;
  load(id: string, setup: Setup): Promise<{ model: LanguageModelV3; options: Omit<AiSdkOptions, 'secrets'> }>;
}

interface Setup {
  readonly baseURL: string | undefined;
  readonly apiKey: string | undefined;
  readonly cacheKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

const anthropic: Provider = {
  keys: ['ANTHROPIC_API_KEY'],
  needsKey: true,
  baseUrl: (env) => env.ANTHROPIC_BASE_URL,
  contextTokens: () => 200_000,
  async load(id, { baseURL, apiKey, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    const model = createAnthropic({ ...given({ baseURL: withVersion(baseURL), apiKey }), fetch })(id);
    return { model, options: { cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } } } };
  },
};

const openai: Provider = {
  keys: ['OPENAI_API_KEY'],
  needsKey: true,
  baseUrl: (env) => env.OPENAI_BASE_URL,
  contextTokens: openaiContext,
  async load(id, { baseURL, apiKey, cacheKey, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const model = createOpenAI({ ...given({ baseURL, apiKey }), fetch }).responses(id);
    return { model, options: { providerOptions: { openai: given({ store: false, promptCacheKey: cacheKey }) } } };
  },
};

const openaiChat: Provider = {
  ...openai,
  async load(id, { baseURL, apiKey, cacheKey, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const model = createOpenAI({ ...given({ baseURL, apiKey }), fetch }).chat(id);
    return { model, options: { providerOptions: { openai: given({ promptCacheKey: cacheKey }) } } };
  },
};

const openaiCompatible: Provider = {
  keys: [],
  needsKey: false,
  baseUrl: () => undefined,
  contextTokens: () => 128_000,
  async load(id, { baseURL, apiKey, fetch }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({
      name: 'openai-compatible',
      baseURL: baseURL ?? '',
      ...given({ apiKey }),
      includeUsage: true,
      fetch,
    });
    return { model: provider.chatModel(id), options: {} };
  },
};

const openrouter: Provider = {
  ...openaiCompatible,
  keys: ['OPENROUTER_API_KEY'],
  needsKey: true,
  baseUrl: () => 'https://openrouter.ai/api/v1',
};

const ollama: Provider = {
  ...openaiCompatible,
  baseUrl: (env) => `${ollamaHost(env.OLLAMA_HOST)}/v1`,
  contextTokens: () => 32_000,
};

const providers: Readonly<Record<string, Provider>> = {
  anthropic,
  openai,
  'openai-chat': openaiChat,
  openrouter,
  ollama,
  'openai-compatible': openaiCompatible,
};

/** The names `--model` takes before the slash. */
export const providerNames: readonly string[] = Object.keys(providers);

/**
 * Opens the model that `choice.id` names. Loads the provider's code, contacts nobody.
 * Throws `ToolError` (`invalid`) that says what is missing: an unknown provider, no key, no base URL, a bad script.
 */
export async function openModel(choice: ModelChoice): Promise<Model> {
  if (choice.id.startsWith('scripted:')) return scriptedModel(readScript(choice.id.slice(9)), choice.id);
  const { name, id } = split(choice);
  const provider = providers[name]!;
  const apiKey = keyFor(name, provider, choice);
  const baseURL = choice.baseUrl ?? provider.baseUrl(choice.env);
  if (name === 'openai-compatible' && baseURL === undefined) {
    throw new ToolError('invalid', `openai-compatible/${id} needs a base URL: --base-url or BENCHDOG_BASE_URL.`);
  }
  const setup = { baseURL, apiKey, cacheKey: choice.cacheKey, fetch: httpFetch(choice.env) };
  const { model, options } = await provider.load(id, setup);
  const secrets = apiKey === undefined ? [] : [apiKey];
  const price = choice.price ?? (name === 'ollama' ? { input: 0, output: 0 } : undefined);
  return {
    id: `${name}/${id}`,
    contextTokens: choice.contextTokens ?? provider.contextTokens(id),
    ...(price === undefined ? {} : { price }),
    stream: (request, signal) => streamAiSdk(model, request, signal, { ...options, secrets }),
  };
}

/** A first word that is no provider belongs to the id when a base URL says where to go (`meta-llama/llama-3`). */
function split({ id, baseUrl }: ModelChoice): { name: string; id: string } {
  const slash = id.indexOf('/');
  const name = slash < 0 ? '' : id.slice(0, slash);
  if (Object.hasOwn(providers, name)) return { name, id: id.slice(slash + 1) };
  if (baseUrl !== undefined) return { name: 'openai-compatible', id };
  throw new ToolError(
    'invalid',
    `"${id}" names no known model provider. Write PROVIDER/ID with one of ${providerNames.join(', ')}, or scripted:FILE.`,
  );
}

function keyFor(name: string, provider: Provider, choice: ModelChoice): string | undefined {
  const candidates = [choice.apiKey, choice.env.BENCHDOG_API_KEY, ...provider.keys.map((key) => choice.env[key])];
  const key = candidates.find((candidate) => candidate !== undefined && candidate !== '');
  if (key === undefined && provider.needsKey) {
    const names = ['BENCHDOG_API_KEY', ...provider.keys].join(' or ');
    throw new ToolError('invalid', `No key for ${name}: set ${names}, or run \`benchdog login\`.`);
  }
  return key;
}

function openaiContext(id: string): number {
  if (id.startsWith('gpt-5')) return 400_000;
  if (id.startsWith('gpt-4.1')) return 1_000_000;
  return /^o\d/.test(id) ? 200_000 : 128_000;
}

function ollamaHost(host = '127.0.0.1:11434'): string {
  return (host.includes('://') ? host : `http://${host}`).replace(/\/+$/, '');
}

/** Anthropic's customary base URL has no `/v1`; the provider wants it. */
function withVersion(baseURL: string | undefined): string | undefined {
  if (baseURL === undefined) return undefined;
  const trimmed = baseURL.replace(/\/+$/, '');
  return trimmed.endsWith('/v1') ? trimmed : `${trimmed}/v1`;
}

/** Leaves out what is undefined. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
