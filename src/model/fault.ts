import { ModelError, type ModelFault } from './error.ts';

/** What can be learned from an error of a provider or of the connection. */
interface Facts {
  readonly status: number | undefined;
  readonly text: string;
  readonly parts: readonly string[];
  readonly headers: Record<string, string>;
}

/**
 * Turns whatever a provider or the connection threw into a `ModelError`.
 *
 * @param secrets words taken out of the message
 * @param otherwise the fault when nothing tells; an error that came inside a running stream is `garbled`
 */
export function asModelError(
  thrown: unknown,
  secrets: readonly string[],
  otherwise: ModelFault = 'network',
): ModelError {
  const own = ownError(thrown);
  if (own !== undefined) return own;
  const facts = factsOf(thrown);
  const fault = faultOf(facts, thrown) ?? otherwise;
  const message = mask(`${openings[fault]}: ${describe(facts)}`, secrets);
  const wait = retryAfter(facts.headers);
  return new ModelError(fault, message, { cause: thrown, ...(wait === undefined ? {} : { retryAfterMs: wait }) });
}

/** What we threw ourselves under a provider's hands comes back wrapped. */
function ownError(thrown: unknown, depth = 0): ModelError | undefined {
  if (thrown instanceof ModelError) return thrown;
  const cause = (thrown as { cause?: unknown } | undefined)?.cause;
  return cause === undefined || depth > 3 ? undefined : ownError(cause, depth + 1);
}

const openings: Record<ModelFault, string> = {
  busy: 'The model provider is busy',
  network: 'The connection to the model failed',
  garbled: 'The model answer broke off',
  context: 'The conversation is longer than the model reads',
  auth: 'The model provider did not accept the key',
  quota: 'The account at the model provider has no credit left',
  refused: 'The model provider refused to answer',
  rejected: 'The model provider rejected the request',
  output: 'The answer has the wrong form',
};

const tooLong =
  /context[_ ]length|context window|maximum context|prompt is too long|input is too long|too many (input )?tokens|exceeds? the (available )?context|request_too_large|reduce the length/i;
const noCredit = /insufficient_quota|exceeded your current quota|billing|credit balance|payment required/i;
const busyWords = /overloaded|rate.?limit|server_error|internal.?server|api_error|unavailable|try again|timeout/i;
const filterWords = /content.?filter|content.?policy|safety system/i;
/** Local servers say so with a 500, which would be taken for busy. */
const noSight = /image input is not supported|does(?:n't| not) support images?|no support for images?|missing mmproj/i;
const keyWords = /invalid.?api.?key|authentication|unauthorized|permission_error/i;

function faultOf({ status, text }: Facts, thrown: unknown): ModelFault | undefined {
  if (tooLong.test(text) && (status === undefined || status < 500)) return 'context';
  if (status === undefined || status === 200) return faultOfStream(text, thrown);
  if (status === 402 || noCredit.test(text)) return 'quota';
  if (status === 401 || status === 403) return 'auth';
  if (noSight.test(text)) return 'rejected';
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) return 'busy';
  if (filterWords.test(text)) return 'refused';
  return 'rejected';
}

/** An error without a status: the connection's own, or one that came as an event within the stream. */
function faultOfStream(text: string, thrown: unknown): ModelFault | undefined {
  if (isConnectionError(thrown)) return 'network';
  if (noCredit.test(text)) return 'quota';
  if (keyWords.test(text)) return 'auth';
  if (filterWords.test(text)) return 'refused';
  return busyWords.test(text) ? 'busy' : undefined;
}

function isConnectionError(thrown: unknown): boolean {
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR.*|ERR_(TLS|SSL|STREAM).*|CERT_.*)$/.test(code)) return true;
  const cause = (thrown as { cause?: unknown } | undefined)?.cause;
  return cause !== undefined && cause !== thrown && isConnectionError(cause);
}

function factsOf(thrown: unknown): Facts {
  const error = (thrown ?? {}) as Record<string, unknown>;
  const status = [error.statusCode, error.status].find((value) => typeof value === 'number') as number | undefined;
  const headers = (error.responseHeaders ?? {}) as Record<string, string>;
  const parts = partsOf(thrown, 0);
  return { status, headers, parts, text: parts.join(' · ') };
}

function partsOf(thrown: unknown, depth: number): string[] {
  if (typeof thrown === 'string') return thrown === '' ? [] : [thrown];
  if (typeof thrown !== 'object' || thrown === null || depth > 3) return [];
  const { message, code, type, responseBody, cause, error } = thrown as Record<string, unknown>;
  const own = [message, code, type, responseBody].filter(
    (value) => typeof value === 'string' || Number.isInteger(value),
  );
  const all = [...own.map(String), ...partsOf(error, depth + 1), ...partsOf(cause, depth + 1)];
  return all.filter((text) => text !== '');
}

/** The sentence within a JSON body. */
function sentence(part: string): string {
  if (!part.startsWith('{')) return part;
  try {
    const { error, message } = JSON.parse(part) as { error?: { message?: unknown } | string; message?: unknown };
    const said = (typeof error === 'object' ? error?.message : error) ?? message;
    return typeof said === 'string' && said !== '' ? said : part;
  } catch {
    return part;
  }
}

/** What was said before is not said again. */
function told(parts: readonly string[]): string[] {
  const sentences = parts.map(sentence);
  return sentences.filter((text, at) => !sentences.slice(0, at).some((earlier) => earlier.includes(text)));
}

function describe({ status, parts }: Facts): string {
  const words = told(parts).join(' · ').replaceAll(/\s+/g, ' ').trim() || 'no reason was given';
  const cut = words.length > 500 ? `${words.slice(0, 500)}…` : words;
  return status === undefined ? cut : `HTTP ${status}, ${cut}`;
}

function mask(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 3)
    .reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: Record<string, string>): number | undefined {
  const exact = Number(headers['retry-after-ms']);
  if (exact > 0) return exact;
  const given = headers['retry-after'];
  if (given === undefined) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
