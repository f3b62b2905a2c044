import { lstatSync, type Stats } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { mountTable } from './mount-table.ts';
import type { OpenedView, View, ViewOptions } from './view.ts';

/** How long after a command the view of the next one is made, in ms: what is done with its result comes first. */
const pauseMs = 30;
/** How long one is kept that nobody wants, in ms. */
const keptMs = 10 * 60_000;

interface Spare {
  readonly view: OpenedView;
  readonly options: ViewOptions;
  readonly world: World;
}

/** What a view was made of: it holds mounts as they were then. */
interface World {
  readonly mounts: string;
  readonly root: Pick<Stats, 'dev' | 'ino' | 'mode' | 'uid' | 'gid'> | undefined;
}

export interface Spares {
  open(options: ViewOptions): View;
  /** Removes what is there for later commands, and waits until all views that were removed are gone. */
  close(): Promise<void>;
}

/**
 * Once a command ran in a view, keeps another one ready for the next command, which then does not wait for namespaces and
 * mounts. One that no longer fits is thrown away: another environment, other mounts, another folder at the root.
 */
export function keepSpare(root: string, open: (options: ViewOptions) => OpenedView): Spares {
  let spare: Spare | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const removals = new Set<Promise<void>>();

  const remove = (view: View) => {
    const removal = view.remove().finally(() => removals.delete(removal));
    removals.add(removal);
    return removal;
  };
  const later = (work: () => void, ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(work, ms).unref();
  };
  const taken = (): Spare | undefined => {
    clearTimeout(timer);
    const ready = spare;
    spare = undefined;
    return ready;
  };
  const drop = () => {
    const unwanted = taken();
    if (unwanted !== undefined) void remove(unwanted.view);
  };
  const prepare = (options: ViewOptions) => {
    if (spare !== undefined) return;
    try {
      const [world, view] = [worldOf(root), open(options)];
      view.hold(false);
      spare = { view, options, world };
      later(drop, keptMs);
    } catch {
      // The next command makes its own, and says why it can't.
    }
  };
  const take = (options: ViewOptions, world: World): OpenedView => {
    const ready = taken();
    if (ready === undefined) return open(options);
    const fits = isDeepStrictEqual([ready.options, ready.world], [options, world]);
    if (fits && ready.view.waits()) return ready.view;
    void remove(ready.view);
    return open(options);
  };

  return {
    open: (options) => {
      const view = take(options, worldOf(root));
      view.hold(true);
      return {
        ...view,
        remove: () => {
          if (spare === undefined && !closed) later(() => prepare(options), pauseMs);
          return remove(view);
        },
      };
    },
    close: async () => {
      closed = true;
      drop();
      await Promise.all(removals);
    },
  };
}

function worldOf(root: string): World {
  const stats = lstatSync(root, { throwIfNoEntry: false });
  if (stats === undefined) return { mounts: mountTable(), root: undefined };
  const { dev, ino, mode, uid, gid } = stats;
  return { mounts: mountTable(), root: { dev, ino, mode, uid, gid } };
}
