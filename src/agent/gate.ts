import type { Gate as WholeGate } from '../gate/gateway.ts';

/** As much of the gate as a turn uses: calls go in as data, results come out; it never throws. */
export type Gate = Pick<WholeGate, 'call' | 'definitions' | 'personSpoke'>;
