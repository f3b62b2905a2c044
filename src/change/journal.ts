/** Who asked for a commit; kept in the journal. */
export interface Origin {
  readonly callId: string;
  readonly session: string;
  readonly tool: string;
  readonly reverts?: { readonly entry: string; readonly as: 'undo' | 'redo' };
}
