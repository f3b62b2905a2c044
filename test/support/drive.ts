import type { SeenRequest, ServerReply } from './model-server.ts';
import type { Pane } from './pane.ts';

/** What stands at the bottom while nothing runs. */
export const idle = '/ for commands';

/** Replies by what the person said last, and one sentence after every call. */
export function modelBy(byPrompt: Record<string, ServerReply>) {
  return ({ body }: SeenRequest): ServerReply => {
    // The list of models is asked for without a body.
    const last = body?.messages.at(-1) ?? { content: '' };
    if (last.role === 'tool') return { text: `Told: ${String(last.content).split('\n')[0]}` };
    const said = textOf(last.content);
    const key = Object.keys(byPrompt).find((word) => said.includes(word));
    return key === undefined ? { text: `You said ${said}.` } : byPrompt[key]!;
  };
}

/** A message's text; images beside it count by their names. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join(' ');
}

/** Sends lines from an empty screen each, so that what is waited for is the answer to this one. */
export function drive(pane: Pane) {
  const send = async (text: string) => {
    await pane.type(text);
    await pane.press('Enter');
  };
  return {
    send,
    async ask(text: string, wanted: string | RegExp): Promise<string> {
      await pane.press('C-l');
      await send(text);
      return pane.until(wanted);
    },
  };
}
