import type { LanguageModelV3Message, LanguageModelV3Prompt, SharedV3ProviderOptions } from '@ai-sdk/provider';
import { isTooDeep } from '../base/json-depth.ts';
import type { CallPart, CallResult, Image, Message, ModelRequest, Part } from './model.ts';

/**
 * A request in the AI SDK's words. With a cache mark, the mark stands after the stable instructions and after the last
 * message, so a next step pays only for what is new; without one all instructions are one message, since some chat
 * templates know no second system message.
 */
export function toPrompt(request: ModelRequest, cacheMark?: SharedV3ProviderOptions): LanguageModelV3Prompt {
  const { stable, live } = request.system;
  const messages = request.messages.map(toMessage);
  if (cacheMark === undefined) {
    return [{ role: 'system', content: live === '' ? stable : `${stable}\n\n${live}` }, ...messages];
  }
  const last = messages.pop();
  if (last !== undefined) messages.push(markLastPart(last, cacheMark));
  const system: LanguageModelV3Prompt = [{ role: 'system', content: stable, providerOptions: cacheMark }];
  if (live !== '') system.push({ role: 'system', content: live });
  return [...system, ...messages];
}

/** On the part, not the message: that is where every provider looks. */
function markLastPart(
  message: LanguageModelV3Message,
  providerOptions: SharedV3ProviderOptions,
): LanguageModelV3Message {
  if (message.role === 'system') return message;
  const before = message.content.slice(0, -1);
  const last = message.content.slice(-1).map((part) => ({ ...part, providerOptions }));
  return { ...message, content: [...before, ...last] } as LanguageModelV3Message;
}

function toMessage(message: Message): LanguageModelV3Message {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: [{ type: 'text', text: message.text }, ...(message.images ?? []).flatMap(toImage)],
      };
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(toPart) };
    case 'tool':
      return { role: 'tool', content: message.results.map(toResult) };
  }
}

/** With its name before it, so that several can be told from one another. */
function toImage({ name, mediaType, bytes }: Image) {
  return [
    { type: 'text' as const, text: `[image ${name}]` },
    { type: 'file' as const, mediaType, data: bytes },
  ];
}

function toPart(part: Part) {
  const providerOptions = part.meta as SharedV3ProviderOptions | undefined;
  const meta = providerOptions === undefined ? {} : { providerOptions };
  if (part.type === 'text') return { type: 'text' as const, text: part.text, ...meta };
  if (part.type === 'reasoning') return { type: 'reasoning' as const, text: part.text, ...meta };
  return {
    type: 'tool-call' as const,
    toolCallId: part.callId,
    toolName: part.tool,
    input: inputOf(part),
    ...meta,
  };
}

/** Providers insist on an object. A call that was none is shown back in a shape that lets the model see what it wrote. */
function inputOf(part: CallPart): unknown {
  try {
    if (isTooDeep(part.arguments)) return { unparsed: part.arguments.slice(0, 2000) };
    const value: unknown = JSON.parse(part.arguments.trim() === '' ? '{}' : part.arguments);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Falls through: the text is no JSON.
  }
  return { unparsed: part.arguments.slice(0, 2000) };
}

function toResult({ callId, tool, text, failed }: CallResult) {
  const output = { type: failed ? ('error-text' as const) : ('text' as const), value: text };
  return { type: 'tool-result' as const, toolCallId: callId, toolName: tool, output };
}
