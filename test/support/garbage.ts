import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** A full collection, as it comes at any time in a long run. */
export const collectGarbage = runInNewContext('gc') as () => void;
