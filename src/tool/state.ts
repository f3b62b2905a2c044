/** A typed place in a session's state, made once at module level by the tool or room that owns it. */
export interface Slot<T> {
  readonly make: () => T;
}

/** State that lives as long as a session: todo list, read ledger, background jobs. Never on disk by itself. */
export interface ToolState {
  get<T>(slot: Slot<T>): T;
}

export function slot<T>(make: () => T): Slot<T> {
  return { make };
}

export function createToolState(): ToolState {
  const values = new Map<Slot<unknown>, unknown>();
  return {
    get<T>(key: Slot<T>): T {
      if (!values.has(key)) values.set(key, key.make());
      return values.get(key) as T;
    },
  };
}
