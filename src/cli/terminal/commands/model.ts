import { chooseModel } from '../../../agent-setup.ts';
import { ToolError } from '../../../base/error.ts';
import { joinSignals } from '../../../base/join-signals.ts';
import { unknownName } from '../../../base/suggest.ts';
import { readKeys } from '../../../config/keys.ts';
import { listModels } from '../../../model/list-models.ts';
import type { Desk } from '../desk.ts';
import type { SlashCommand } from '../slash.ts';

export const modelCommands: readonly SlashCommand[] = [
  {
    name: 'model',
    argument: '[PROVIDER/ID]',
    description: 'take another model for what comes',
    idle: true,
    async run(desk, argument) {
      const id = argument === '' ? await pickModel(desk) : argument;
      if (id === undefined) return;
      const { io, app, run, flags } = desk;
      desk.useModel(await chooseModel(app, { settings: flags, env: io.env, session: run.session.id }, id));
      desk.note(`From now on ${desk.agent().model.id}. ("model" in the configuration keeps it.)`);
    },
  },
  {
    name: 'agent',
    argument: '[NAME]',
    description: 'go on as an agent of the configuration',
    idle: true,
    async run(desk, argument) {
      const names = Object.keys(desk.app.config.agents ?? {});
      if (names.length === 0) return desk.note('The configuration has no "agents".');
      const name = argument === '' ? await pickAgent(desk, names) : argument;
      if (name === undefined) return;
      if (!names.includes(name)) throw new ToolError('invalid', unknownName('agent', name, names));
      const { continue: _continue, ...flags } = desk.flags;
      desk.leave({ type: 'sit', flags: { ...flags, agent: name, resume: desk.run.session.id } });
    },
  },
];

/** Milliseconds for the provider to list its models. */
const patience = 10_000;

async function pickModel({ ui, app, io, flags, agent }: Desk): Promise<string | undefined> {
  const provider = agent().model.id.split('/')[0]!;
  const baseUrl = flags.baseUrl ?? app.config.baseUrl;
  const choice = {
    id: `${provider}/`,
    env: io.env,
    storedKeys: readKeys(app.home),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
  const limit = joinSignals([], patience);
  const ids = await listModels(choice, limit.signal).finally(limit.release);
  if (ids.length === 0) throw new ToolError('missing', `${provider} lists no models. Name one: /model PROVIDER/ID.`);
  const chosen = await ui.pick(
    `Which model of ${provider}? (another provider's: /model PROVIDER/ID)`,
    ids.map((label) => ({ label })),
  );
  return chosen === undefined ? undefined : `${provider}/${ids[chosen]!}`;
}

async function pickAgent({ ui, app }: Desk, names: readonly string[]): Promise<string | undefined> {
  const agents = app.config.agents ?? {};
  const choices = names.map((label) => ({ label, detail: agents[label]?.description }));
  const chosen = await ui.pick('Go on as which agent? Background commands end.', choices);
  return chosen === undefined ? undefined : names[chosen];
}
