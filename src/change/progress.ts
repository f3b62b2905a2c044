/**
 * How far an operation of an interrupted commit came.
 *
 * - `applied`: its result is there
 * - `ready`: not done, or half done, and all that is needed to finish it is there
 * - `unready`: not done, and can't be finished
 * - `blocked`: not done, and somebody else changed what it was made for
 * - `foreign`: done or not, somebody else changed the place since
 */
export type Progress = 'applied' | 'ready' | 'unready' | 'blocked' | 'foreign';
