import type { JsonSchema } from '../base/schema.ts';

/** A language model as the agent sees it: one request in, a stream of events out. */
export interface Model {
  /** `provider/id` as the user names it. */
  readonly id: string;
  /** How many tokens fit in one request together with its answer. */
  readonly contextTokens: number;
  /** US dollars for a million tokens, when known. */
  readonly price?: Price;
  /** False: it is known not to take images. Else it is tried. */
  readonly sees?: boolean;
  /**
   * Asks once. Events come as the model speaks; the last one is `finish`. Throws `ModelError`.
   * Never retries and never runs a tool.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** US dollars for a million tokens of each kind. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface ModelRequest {
  /** `summary`: a side request that condenses a conversation. */
  readonly purpose?: 'summary';
  /** Instructions: what never changes within a session first, what changes from step to step last. */
  readonly system: { readonly stable: string; readonly live: string };
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Answers given in the whole conversation so far, those that were condensed since included. */
  readonly answers?: number;
  readonly maxOutputTokens?: number;
}

/** A tool as a model is told of it; there is nothing here that could run. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
}

export type Message =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly Image[] }
  | { readonly role: 'assistant'; readonly parts: readonly Part[] }
  | { readonly role: 'tool'; readonly results: readonly CallResult[] };

/** A picture that a person shows. */
export interface Image {
  /** As the text beside it names it. */
  readonly name: string;
  /** `image/png` */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** One finished piece of an answer. `meta` is the provider's own and goes back to it unread (signatures, item ids). */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly meta?: PartMeta }
  | { readonly type: 'reasoning'; readonly text: string; readonly meta?: PartMeta }
  | CallPart;

/** A call the model asks for. `arguments` is JSON text exactly as the model wrote it, well-formed or not. */
export interface CallPart {
  readonly type: 'call';
  readonly callId: string;
  readonly tool: string;
  readonly arguments: string;
  readonly meta?: PartMeta;
}

export type PartMeta = Record<string, Record<string, unknown>>;

export interface CallResult {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly failed: boolean;
}

/** What a model says while it answers. A `part` closes the deltas before it; `finish` closes the answer. */
export type ModelEvent =
  | { readonly type: 'delta'; readonly of: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'delta'; readonly of: 'arguments'; readonly tool: string; readonly text: string }
  | { readonly type: 'part'; readonly part: Part }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage };

/** `length`: the answer was cut at the output limit. `refused`: the provider's content filter stopped it. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'refused' | 'other';

/** Tokens of one answer. `input` counts everything that was read, cached or not. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** What `usage` costs in US dollars. Cache prices default to the input price. */
export function costOf(usage: Usage, price: Price): number {
  const plain = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  const dollars =
    plain * price.input +
    usage.cacheRead * (price.cacheRead ?? price.input) +
    usage.cacheWrite * (price.cacheWrite ?? price.input) +
    usage.output * price.output;
  return dollars / 1_000_000;
}
