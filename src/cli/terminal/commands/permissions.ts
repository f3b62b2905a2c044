import { ToolError } from '../../../base/error.ts';
import type { Grant } from '../../../gate/grants.ts';
import { nameRow } from '../../../gate/rule.ts';
import type { Desk } from '../desk.ts';
import type { SlashCommand } from '../slash.ts';

export const permissionCommands: readonly SlashCommand[] = [
  {
    name: 'permissions',
    argument: '[rules | revoke ID]',
    description: 'what is allowed beyond the rules; take it back',
    async run(desk, argument) {
      const [verb = '', id = ''] = argument.split(/\s+/);
      if (verb === 'rules') return desk.say(rulesOf(desk));
      if (verb === 'revoke') return revoke(desk, id);
      const grants = desk.app.policy.grants.list();
      if (grants.length === 0) return desk.note('Nothing is allowed beyond the rules. /permissions rules lists those.');
      const chosen = await desk.ui.pick('Allowed beyond the rules; enter revokes one:', grants.map(choiceOf));
      if (chosen !== undefined) revoke(desk, grants[chosen]!.id);
    },
  },
];

function choiceOf({ tool, pattern, uses, until, stored }: Grant): { label: string; detail: string } {
  const terms = [
    stored === true ? 'for good' : 'this session',
    ...(uses === undefined ? [] : [`${uses} more times`]),
    ...(until === undefined ? [] : [`until ${new Date(until).toISOString().slice(11, 16)} UTC`]),
  ];
  return { label: `${tool} ${pattern}`, detail: terms.join(', ') };
}

function revoke({ app, note }: Desk, id: string): void {
  const grants = app.policy.grants.list();
  const matches = id === '' ? [] : grants.filter((grant) => String(grant.id).startsWith(id));
  const [grant] = matches;
  if (grant === undefined || matches.length > 1) {
    const known = grants.map((one) => `${one.id} (${one.tool} ${one.pattern})`).join(', ') || 'none';
    throw new ToolError('missing', `No one grant has the id "${id}". There are: ${known}.`);
  }
  app.policy.grants.revoke(grant.id);
  note(`Revoked: ${grant.tool} ${grant.pattern}.`, 'good');
}

function rulesOf({ app }: Desk): string {
  if (app.rows.length === 0) return 'There are no rules but the built-in ones.';
  return [
    'The last one that matches decides:',
    ...app.rows.map((row) => `- **${row.decision}** \`${nameRow(row)}\``),
  ].join('\n');
}
