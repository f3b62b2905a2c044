import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { AiSdkOptions } from './ai-sdk.ts';
import { marksInContent } from './cache-marks.ts';

/** What makes a provider of the AI SDK's; loaded only when it is chosen, since each costs start-up time. */
export interface Provider {
  readonly keys: readonly string[];
  /** False when requests without a key make sense (local servers). */
  readonly needsKey: boolean;
  baseUrl(env: NodeJS.ProcessEnv): string | undefined;
  /** Adds what people leave out of a base URL. */
  version(baseUrl: string): string;
  contextTokens(id: string): number;
  load(id: string, setup: Setup): Promise<{ model: LanguageModelV3; options: Omit<AiSdkOptions, 'secrets'> }>;
}

export interface Setup {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly cacheKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

const anthropic: Provider = {
  keys: ['ANTHROPIC_API_KEY'],
  needsKey: true,
  baseUrl: (env) => env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com',
  version: (url) => (url.endsWith('/v1') ? url : `${url}/v1`),
  contextTokens: () => 200_000,
  async load(id, { baseURL, apiKey, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    const model = createAnthropic({ ...given({ baseURL, apiKey }), fetch })(id);
    return { model, options: { cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } } } };
  },
};

const openai: Provider = {
  keys: ['OPENAI_API_KEY'],
  needsKey: true,
  baseUrl: (env) => env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
  version: (url) => url,
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
  version: (url) => url,
  contextTokens: () => 128_000,
  async load(id, { baseURL, apiKey, fetch }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      ...given({ apiKey }),
      includeUsage: true,
      fetch,
    });
    return { model: provider.chatModel(id), options: {} };
  },
};

const openrouter: Provider = {
  keys: ['OPENROUTER_API_KEY'],
  needsKey: true,
  baseUrl: () => 'https://openrouter.ai/api/v1',
  version: (url) => url,
  contextTokens: (id) => (id.startsWith('anthropic/') ? 200_000 : 128_000),
  async load(id, { baseURL, apiKey, fetch }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({
      name: 'openrouter',
      baseURL,
      ...given({ apiKey }),
      includeUsage: true,
      transformRequestBody: marksInContent,
      fetch,
    });
    const cacheMark = { openaiCompatible: { cache_control: { type: 'ephemeral' } } };
    return { model: provider.chatModel(id), options: id.startsWith('anthropic/') ? { cacheMark } : {} };
  },
};

const ollama: Provider = {
  ...openaiCompatible,
  baseUrl: (env) => `${ollamaHost(env.OLLAMA_HOST)}/v1`,
  contextTokens: () => 32_000,
};

/** Every provider by the name it is chosen with. */
export const providers: Readonly<Record<string, Provider>> = {
  anthropic,
  openai,
  'openai-chat': openaiChat,
  openrouter,
  ollama,
  'openai-compatible': openaiCompatible,
};

function openaiContext(id: string): number {
  if (id.startsWith('gpt-5')) return 400_000;
  if (id.startsWith('gpt-4.1')) return 1_000_000;
  return /^o\d/.test(id) ? 200_000 : 128_000;
}

function ollamaHost(host = '127.0.0.1:11434'): string {
  return (host.includes('://') ? host : `http://${host}`).replace(/\/+$/, '');
}

/** Leaves out what is undefined. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
