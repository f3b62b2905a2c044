import { noteLine, openNotes } from '../../../extend/notes.ts';
import type { SlashCommand } from '../slash.ts';

export const memoryCommands: readonly SlashCommand[] = [
  {
    name: 'memory',
    argument: '[add TEXT | forget TEXT]',
    description: 'notes on this project that outlive the session',
    run(desk, argument) {
      const { app, note } = desk;
      const notes = openNotes({ home: app.home.state, root: app.workspace.root.real });
      const [, verb, text = ''] = /^(add|forget)\s+([\s\S]+)$/.exec(argument) ?? [];
      if (verb === 'add') {
        notes.add({ note: text.replaceAll(/\s+/g, ' ').slice(0, 400), kind: 'fact' });
        return note('Noted; sessions from now on know it.', 'good');
      }
      if (verb === 'forget') return note(`Forgotten: ${noteLine(notes.remove(text))}`, 'good');
      const all = notes.all();
      note(all.length === 0 ? 'There are no notes.' : all.map((one) => `- ${noteLine(one)}`).join('\n'));
    },
  },
];
