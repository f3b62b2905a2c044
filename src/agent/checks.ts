import { emptyReceipt, type Receipt } from './receipt.ts';
import type { Turn } from './turn.ts';

export async function objection(_turn: Turn, _text: string): Promise<string | undefined> {
  return undefined;
}
export async function receiptOf(_turn: Turn, _text: string): Promise<Receipt> {
  return emptyReceipt;
}
