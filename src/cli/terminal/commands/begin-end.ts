import type { SlashCommand } from '../slash.ts';

const initPrompt = `Look at this repository and write AGENTS.md for the next agent that works here: what the project is and how it is laid out, the commands that build, test and lint it (run them to see that they work), the conventions that the code follows, and what surprised you. At most 60 lines. When there is an AGENTS.md already, correct and complete it instead.`;

export const beginEndCommands: readonly SlashCommand[] = [
  {
    name: 'init',
    description: 'have an AGENTS.md written for this project',
    run: (desk) => desk.send(initPrompt),
  },
  {
    name: 'mode',
    argument: '[ask | edits | plan]',
    description: 'how calls are approved (also shift+tab)',
    run(desk, argument) {
      const mode = (['ask', 'edits', 'plan'] as const).find((one) => one === argument);
      if (mode === undefined) return desk.note(`The mode is ${desk.modes.get()}. There are ask, edits and plan.`);
      desk.modes.set(mode);
      if (desk.modes.get() !== mode) desk.note('This was started with --plan: it stays read-only.', 'warn');
      desk.ui.refresh();
    },
  },
  {
    name: 'quit',
    description: 'end the session',
    run: (desk) => desk.leave({ type: 'quit' }),
  },
];
