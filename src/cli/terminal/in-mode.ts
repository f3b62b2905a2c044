import type { Agent } from '../../agent/agent.ts';
import type { Mode } from '../../gate/modes.ts';

/** The same agent; in plan mode it is told so, and offered nothing but reading. What else it tried would be refused. */
export function inMode(agent: Agent, mode: () => Mode): Agent {
  const { gate } = agent;
  return {
    ...agent,
    instructions: () => ({ ...agent.instructions(), planOnly: mode() === 'plan' }),
    gate: {
      call: (request, options) => gate.call(request, options),
      personSpoke: () => gate.personSpoke(),
      definitions: () => gate.definitions().filter(({ readOnly }) => readOnly || mode() !== 'plan'),
    },
  };
}
