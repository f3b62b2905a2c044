import type { Message, ModelRequest, Usage } from '../model/model.ts';

/** Characters a token stands for, until a provider's own count says better. */
const charactersPerToken = 3.6;

/** A large image is some 1600 tokens for every provider; small ones are less. */
export const charactersPerImage = 5800;

/** Guesses how many tokens a request is, and learns from what the provider counted. */
export interface Estimator {
  tokens(request: ModelRequest): number;
  ofText(text: string): number;
  learn(request: ModelRequest, usage: Usage): void;
}

export function createEstimator(): Estimator {
  let correction = 1;
  const rough = (characters: number) => Math.ceil((characters / charactersPerToken) * correction);
  return {
    tokens: (request) => rough(sizeOf(request)),
    ofText: (text) => rough(text.length),
    learn(request, usage) {
      if (usage.input === 0) return;
      correction = Math.min(4, Math.max(0.25, usage.input / (sizeOf(request) / charactersPerToken)));
    },
  };
}

function sizeOf({ system, messages, tools }: ModelRequest): number {
  const fixed = system.stable.length + system.live.length;
  return fixed + sum(tools, toolSize) + sum(messages, messageSize);
}

const schemaSizes = new WeakMap<object, number>();

function toolSize({ name, description, input }: ModelRequest['tools'][number]): number {
  const known = schemaSizes.get(input) ?? JSON.stringify(input).length;
  schemaSizes.set(input, known);
  return name.length + description.length + known + 40;
}

function messageSize(message: Message): number {
  if (message.role === 'user') return message.text.length + 20 + (message.images?.length ?? 0) * charactersPerImage;
  if (message.role === 'tool') return sum(message.results, ({ text }) => text.length + 60);
  return sum(message.parts, (part) => (part.type === 'call' ? part.arguments.length + 80 : part.text.length) + 20);
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
