/**
 * One finding of the doctor.
 *
 * - `ok`: as it should be
 * - `note`: works, with less
 * - `warn`: works, and is less safe than it could be
 * - `bad`: does not work
 */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'warn' | 'bad';
  readonly text: string;
}
