import { compact } from '../../../agent/compact.ts';
import { charactersPerImage } from '../../../agent/estimate.ts';
import { buildPrompt } from '../../../agent/prompt.ts';
import { todoSlot } from '../../../agent/todo.ts';
import { messagesOf } from '../../../agent/transcript.ts';
import { thousands } from '../../../base/text.ts';
import type { Desk } from '../desk.ts';
import type { SlashCommand } from '../slash.ts';

/** Bytes a token has, on average. */
const bytesOfToken = 3.6;
/** Characters of the newest conversation that a condensing leaves as they are. */
const kept = 2000;

export const contextCommands: readonly SlashCommand[] = [
  {
    name: 'context',
    description: 'what fills the context',
    run(desk) {
      const agent = desk.agent();
      const definitions = agent.gate.definitions();
      const { stable, live } = buildPrompt(agent.instructions(), definitions, desk.app.state.get(todoSlot).todos);
      const parts: readonly [string, unknown][] = [
        ['instructions', stable + live],
        [`${definitions.length} tools`, definitions.map(({ name, description, input }) => [name, description, input])],
        ['conversation', messagesOf(desk.run.session.records)],
        ...imagesPart(desk),
      ];
      const sizes = parts.map(([name, part]) => [name, tokensOf(part)] as const);
      const sum = sizes.reduce((total, [, tokens]) => total + tokens, 0);
      const room = agent.model.contextTokens;
      const rows = sizes.map(([name, tokens]) => `| ${name} | ${thousands(tokens)} |`);
      desk.say(
        `About ${thousands(sum)} of ${thousands(room)} tokens (${Math.round((100 * sum) / room)}%):\n\n| part | tokens |\n|---|---|\n${rows.join('\n')}`,
      );
    },
  },
  {
    name: 'compact',
    description: 'condense the conversation to a summary and the facts',
    run: condense,
  },
];

/** Images stand for as many characters as the agent takes them for. */
function imagesPart({ run: { session }, agent }: Desk): readonly [string, unknown][] {
  if (agent().model.sees === false) return [];
  const messages = messagesOf(session.records, { store: session.images });
  const count = messages.reduce(
    (sum, { role, ...rest }) => sum + ('images' in rest ? (rest.images?.length ?? 0) : 0),
    0,
  );
  return count === 0 ? [] : [[`${count} ${count === 1 ? 'image' : 'images'}`, ' '.repeat(count * charactersPerImage)]];
}

function tokensOf(part: unknown): number {
  const text = typeof part === 'string' ? part : JSON.stringify(part);
  return Math.round(Buffer.byteLength(text) / bytesOfToken);
}

function condense(desk: Desk): void {
  desk.errands.add({
    text: '/compact',
    async run({ signal }) {
      const { model } = desk.agent();
      const before = tokensOf(messagesOf(desk.run.session.records));
      desk.note('Condensing the conversation…');
      const room = model.contextTokens * bytesOfToken * 0.6;
      const { session } = desk.run;
      const done = await compact({ model, session, keep: kept, room, signal, emit: desk.ui.event });
      if (!done) return desk.note('There is nothing yet that could be condensed.');
      desk.ui.event({ type: 'compacted', before, after: tokensOf(messagesOf(session.records)) });
    },
  });
}
