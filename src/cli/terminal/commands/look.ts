import { renderTodos, todoSlot } from '../../../agent/todo.ts';
import type { SlashCommand } from '../slash.ts';

/** Commands that only show something. */
export const lookCommands: readonly SlashCommand[] = [
  {
    name: 'tools',
    description: 'the tools on offer, and the set each comes from',
    run(desk) {
      const offered = desk.agent().gate.definitions();
      const all = desk.app.registry.list();
      const lines = offered.map(({ name, set }) => `- \`${name}\`  ${set ?? sourceOf(name)}`);
      desk.say(
        [`**tools**\n\n${offered.length} offered this turn of ${all.length} registered`, lines.join('\n')].join('\n\n'),
      );
    },
  },
  {
    name: 'todos',
    description: 'the task list, whole',
    run(desk) {
      const { todos } = desk.app.state.get(todoSlot);
      desk.note(todos.length === 0 ? 'There is no task list.' : renderTodos(todos));
    },
  },
  {
    name: 'skills',
    description: 'the skills the model can load',
    async run(desk) {
      const { skills } = await desk.app.extensions.prompt();
      desk.say(
        skills.length === 0
          ? 'There are no skills.'
          : skills.map(({ name, description }) => `- **${name}** ${description}`).join('\n'),
      );
    },
  },
  {
    name: 'mcp',
    description: 'the MCP servers and their tools',
    run(desk) {
      const servers = Object.keys(desk.app.config.mcpServers ?? {});
      if (servers.length === 0) return desk.note('No MCP servers are configured ("mcpServers" in the configuration).');
      const names = desk.app.registry.list().map(({ name }) => name);
      desk.say(servers.map((server) => `- **${server}** ${toolsOf(server, names)}`).join('\n'));
    },
  },
  {
    name: 'cost',
    description: 'tokens and money this session took',
    run(desk) {
      const { tokens, cost } = desk.ui.view();
      const money = cost === undefined ? `no price is known for ${desk.agent().model.id}` : `$${cost.toFixed(4)}`;
      desk.note(`${tokens.input} tokens read, ${tokens.output} written: ${money}`);
    },
  },
];

function sourceOf(name: string): string {
  return name.startsWith('mcp__') ? 'mcp' : 'session';
}

function toolsOf(server: string, names: readonly string[]): string {
  const own = names.filter((name) => name.startsWith(`mcp__${server}__`));
  return own.length === 0 ? 'no tools (not ready, or not reachable)' : own.map((name) => `\`${name}\``).join(', ');
}
