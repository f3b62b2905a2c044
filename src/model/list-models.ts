import { asModelError } from './fault.ts';
import { httpFetch } from './http-fetch.ts';
import { type ModelChoice, placeOf } from './providers.ts';

/**
 * The ids that the provider of `choice` offers, sorted, from its own list. The id in the choice may be empty after the
 * slash (`openai/`). Throws `ModelError` or, for a wrong choice, `ToolError`.
 */
export async function listModels(choice: ModelChoice, signal?: AbortSignal): Promise<string[]> {
  const { name, baseURL, apiKey } = placeOf(choice);
  const secrets = apiKey === undefined ? [] : [apiKey];
  try {
    const headers = headersFor(name, apiKey);
    const response = await httpFetch(choice.env)(`${baseURL}/models`, { headers, ...(signal ? { signal } : {}) });
    const text = await response.text();
    if (!response.ok) throw Object.assign(new Error(text.slice(0, 500)), { statusCode: response.status });
    const { data } = JSON.parse(text) as { data?: readonly { id?: unknown }[] };
    return (data ?? []).flatMap(({ id }) => (typeof id === 'string' ? [id] : [])).sort();
  } catch (error) {
    throw asModelError(error, secrets, 'garbled');
  }
}

function headersFor(name: string, apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {};
  if (name === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return { authorization: `Bearer ${apiKey}` };
}
