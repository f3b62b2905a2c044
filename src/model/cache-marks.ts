interface ChatMessage {
  readonly content?: unknown;
  readonly cache_control?: unknown;
}

/** OpenRouter reads cache marks within the content's parts; the provider puts them beside the content. */
export function marksInContent(body: Record<string, unknown>): Record<string, unknown> {
  const messages = body.messages as readonly ChatMessage[];
  return { ...body, messages: messages.map(moveMark) };
}

function moveMark(message: ChatMessage): ChatMessage {
  const { cache_control, ...rest } = message;
  if (cache_control === undefined || typeof rest.content !== 'string') return message;
  return { ...rest, content: [{ type: 'text', text: rest.content, cache_control }] };
}
