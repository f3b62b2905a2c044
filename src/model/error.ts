/**
 * Why a model gave no answer.
 *
 * - `busy`: 429 or 5xx; waiting helps
 * - `network`: no connection, a cut one, or silence; trying again may help
 * - `garbled`: the stream ended early or was not what the protocol says; trying again may help
 * - `context`: the request is longer than the model reads; it has to be shortened
 * - `auth`: the key is missing, wrong or not allowed
 * - `quota`: the account has no credit left
 * - `refused`: the provider's filter stopped the answer
 * - `rejected`: the provider found the request wrong
 * - `output`: the answer does not have the form it has to have
 */
export type ModelFault =
  | 'busy'
  | 'network'
  | 'garbled'
  | 'context'
  | 'auth'
  | 'quota'
  | 'refused'
  | 'rejected'
  | 'output';

/** The one error a model throws; its message is for the person who runs the agent and never holds a key. */
export class ModelError extends Error {
  readonly fault: ModelFault;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;

  constructor(fault: ModelFault, message: string, options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, options);
    this.name = 'ModelError';
    this.fault = fault;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }

  get worthRetrying(): boolean {
    return this.fault === 'busy' || this.fault === 'network' || this.fault === 'garbled';
  }
}
