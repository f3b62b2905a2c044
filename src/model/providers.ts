import { ToolError } from '../base/error.ts';
import { streamAiSdk } from './ai-sdk.ts';
import { httpFetch } from './http-fetch.ts';
import type { Model, Price } from './model.ts';
import { type Provider, providers } from './provider-table.ts';
import { readScript } from './script-file.ts';
import { scriptedModel } from './scripted.ts';
import { seesImages } from './sight.ts';

export interface ModelChoice {
  /** `provider/id`, or `scripted:FILE`. */
  readonly id: string;
  /** Where the provider is; needed for `openai-compatible`. */
  readonly baseUrl?: string;
  /** Wins over the environment. */
  readonly apiKey?: string;
  /** Keys by the base URL they were given for; used where the environment has none. */
  readonly storedKeys?: Readonly<Record<string, string>>;
  /** Tokens that fit in a request and its answer; default by provider and id. */
  readonly contextTokens?: number;
  readonly price?: Price;
  /** Groups requests of one session for the provider's cache. */
  readonly cacheKey?: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The names `--model` takes before the slash. */
export const providerNames: readonly string[] = Object.keys(providers);

/**
 * Opens the model that `choice.id` names. Loads the provider's code, contacts nobody.
 * Throws `ToolError` (`invalid`) that says what is missing: an unknown provider, no key, no base URL, a bad script.
 */
export async function openModel(choice: ModelChoice): Promise<Model> {
  if (choice.id.startsWith('scripted:')) return scriptedModel(readScript(choice.id.slice(9)), choice.id);
  const { name, id, baseURL, apiKey } = placeOf(choice);
  const provider = providers[name]!;
  const setup = { baseURL, apiKey, cacheKey: choice.cacheKey, fetch: httpFetch(choice.env) };
  const { model, options } = await provider.load(id, setup);
  const secrets = apiKey === undefined ? [] : [apiKey];
  const price = choice.price ?? (name === 'ollama' ? { input: 0, output: 0 } : undefined);
  return {
    id: `${name}/${id}`,
    contextTokens: choice.contextTokens ?? provider.contextTokens(id),
    ...(price === undefined ? {} : { price }),
    ...(seesImages(id) ? {} : { sees: false }),
    stream: (request, signal) => streamAiSdk(model, request, signal, { ...options, secrets }),
  };
}

/** Where a choice leads: provider, model id, base URL with its version, key. Throws as `openModel` does. */
export function placeOf(choice: ModelChoice) {
  const { name, id } = split(choice);
  const provider = providers[name]!;
  const baseURL = choice.baseUrl ?? provider.baseUrl(choice.env);
  if (baseURL === undefined) {
    throw new ToolError('invalid', `openai-compatible/${id} needs a base URL: --base-url or BENCHDOG_BASE_URL.`);
  }
  const versioned = provider.version(baseURL.replace(/\/+$/, ''));
  return { name, id, baseURL: versioned, apiKey: keyFor(name, provider, choice, versioned) };
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

function keyFor(name: string, provider: Provider, choice: ModelChoice, baseURL: string): string | undefined {
  const { env, storedKeys = {} } = choice;
  const stored = Object.hasOwn(storedKeys, baseURL) ? storedKeys[baseURL] : undefined;
  const candidates = [choice.apiKey, env.BENCHDOG_API_KEY, ...provider.keys.map((key) => env[key]), stored];
  const key = candidates.find((candidate) => candidate !== undefined && candidate !== '');
  if (key === undefined && provider.needsKey) {
    const names = ['BENCHDOG_API_KEY', ...provider.keys].join(' or ');
    throw new ToolError('invalid', `No key for ${name}: set ${names}, or run \`benchdog login\`.`);
  }
  return key;
}
