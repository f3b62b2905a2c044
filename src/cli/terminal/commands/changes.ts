import { randomUUID } from 'node:crypto';
import { ToolError } from '../../../base/error.ts';
import type { Change } from '../../../change/change.ts';
import { renderDiff } from '../../../change/diff.ts';
import { history } from '../../../change/history.ts';
import { parseWhich, revert, type Verb } from '../../revert.ts';
import type { Desk } from '../desk.ts';
import type { SlashCommand } from '../slash.ts';

const mostListed = 30;

export const changeCommands: readonly SlashCommand[] = [
  {
    name: 'diff',
    argument: '[PATH]',
    description: 'what is changed and not committed in git',
    async run({ app, ui }, path) {
      if (app.registry.get('git_diff') === undefined) {
        throw new ToolError('missing', 'No git tools are on offer here. /history lists what was changed.');
      }
      const args = path === '' ? {} : { path };
      const result = await app.gate.call({ id: `person-${randomUUID()}`, tool: 'git_diff', args });
      if (!result.ok) throw new ToolError(result.code, result.text);
      ui.show({ type: 'diff', title: 'git diff', diff: result.text });
    },
  },
  {
    name: 'undo',
    argument: '[N | ID]',
    description: "put back this session's last change, the last N, or one by id",
    idle: true,
    run: (desk, which) => goBack(desk, 'undo', which),
  },
  {
    name: 'redo',
    argument: '[N | ID]',
    description: 'do again what was undone last',
    idle: true,
    run: (desk, which) => goBack(desk, 'redo', which),
  },
  {
    name: 'history',
    description: 'what was changed in this folder, newest first',
    run({ app, note }) {
      const items = history(app.journal);
      const lines = items.slice(0, mostListed).map(({ entry, state }) => {
        const paths = entry.changes.map(({ type, path, added, removed }) => `${type} ${path} +${added} -${removed}`);
        const mark = state === 'done' ? '' : ` (${state})`;
        return `${entry.id}  ${entry.time.slice(0, 16).replace('T', ' ')}  ${entry.origin.tool}${mark}  ${paths.join(', ')}`;
      });
      const rest = items.length - lines.length;
      const tail = rest > 0 ? [`${rest} older ones: benchdog history`] : [];
      note(items.length === 0 ? 'Nothing was changed yet.' : [...lines, ...tail].join('\n'));
    },
  },
];

async function goBack({ app, run, ui }: Desk, verb: Verb, argument: string): Promise<void> {
  const session = run.session.id;
  const which = { session, ...parseWhich(argument) };
  const { changes, entries } = await revert(app, verb, which, { session, tool: `/${verb}` });
  const opaque = (change: Change) => !app.policy.visible(change.path);
  const ids = entries.map(({ id }) => id).join(', ');
  const title = `${verb === 'undo' ? 'undid' : 'redid'} ${ids}`;
  ui.show({ type: 'diff', title, diff: renderDiff(changes, { display: true, opaque }) });
}
