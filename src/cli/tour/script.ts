import type { Model } from '../../model/model.ts';
import { type ScriptedReply, scriptedModel } from '../../model/scripted.ts';
import type { Stage } from './stage.ts';

export const tourTask = 'Carts must count quantities: three pens cost three times as much as one.';

const start: readonly ScriptedReply[] = [
  { text: 'I look at how the total is made.', calls: [{ tool: 'read_file', arguments: { path: 'src/total.js' } }] },
  {
    text: 'Let me see whether the configuration matters. (It holds a secret: the rules refuse this one.)',
    calls: [{ tool: 'read_file', arguments: { path: '.env' } }],
  },
  {
    text: 'It is not needed. I propose the fix; nothing is written before it is approved.',
    calls: [
      {
        tool: 'edit_file',
        arguments: {
          path: 'src/total.js',
          oldString: '(cents, { price }) => cents + price, 0',
          newString: '(cents, { price, quantity = 1 }) => cents + price * quantity, 0',
        },
      },
    ],
  },
];

const approved: readonly ScriptedReply[] = [
  { text: 'Before I say that it is done I look at what really changed.', calls: [{ tool: 'git_diff', arguments: {} }] },
  { text: 'A line of a cart now counts its quantity, one when it has none. The diff shows that line and no other.' },
];

const declined: readonly ScriptedReply[] = [{ text: 'You declined the change, so src/total.js is as it was.' }];

/** Says its lines whatever it is told, but takes a no for a no. */
export function tourModel({ declined: saidNo }: Pick<Stage, 'declined'>): Model {
  const yes = scriptedModel([...start, ...approved], 'scripted/tour');
  const no = scriptedModel([...start, ...declined], 'scripted/tour');
  return { ...yes, stream: (request, signal) => (saidNo() ? no : yes).stream(request, signal) };
}
