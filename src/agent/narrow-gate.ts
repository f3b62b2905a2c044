import { nobody } from '../gate/approver.ts';
import type { Gate } from './gate.ts';

export interface Narrowing {
  /** Goes in front of every call id, so that ids stay unique in the journal. */
  readonly prefix: string;
  offers(tool: string): boolean;
  /** True: what would be asked is denied. */
  readonly unattended: boolean;
}

/** A gate in front of a gate: it offers less, and nothing passes it that the one behind would not let pass. */
export function narrowGate(gate: Gate, { prefix, offers, unattended }: Narrowing): Gate {
  return {
    definitions: () => gate.definitions().filter(({ name }) => offers(name)),
    personSpoke: () => gate.personSpoke(),
    async call(request, options) {
      if (!offers(request.tool)) {
        return { ok: false, code: 'invalid', text: `There is no tool named "${request.tool}" here.` };
      }
      const asked = unattended ? { ...options, approver: nobody } : options;
      return gate.call({ ...request, id: `${prefix}-${request.id}` }, asked);
    },
  };
}
