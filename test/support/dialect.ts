import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type App, createApp, type Settings } from '../../src/app.ts';
import { type Approver, nobody } from '../../src/gate/approver.ts';
import type { ToolResult } from '../../src/gate/gateway.ts';
import { tempFolder } from './folders.ts';

/** One dialect on a folder, through the real gate. */
export interface Bench {
  readonly root: string;
  readonly app: App;
  call(tool: string, args?: unknown, signal?: AbortSignal): Promise<ToolResult>;
  /** The text of a call that must succeed. */
  text(tool: string, args?: unknown): Promise<string>;
  /** Code and text of a call that must fail, as `code: text`. */
  error(tool: string, args?: unknown): Promise<string>;
}

export interface BenchOptions extends Settings {
  readonly approver?: Approver;
  /** What the user's own configuration file says. */
  readonly settings?: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens `root` in a dialect. Everything asked is allowed unless `approve` says otherwise. */
export async function benchOn(dialect: string, root: string, options: BenchOptions = {}): Promise<Bench> {
  const { approver = nobody, settings = {}, env = {}, ...flags } = options;
  const home = tempFolder({ 'config.json': JSON.stringify(settings) });
  const app = await createApp({
    flags: { root, dialect, approve: 'all', config: join(home, 'config.json'), ...flags },
    env: { ...process.env, ...env, BENCHDOG_HOME: home },
    approver,
    session: 'documents',
  });
  onTestFinished(() => app.close());
  let count = 0;
  const call: Bench['call'] = (tool, args = {}, signal) => {
    count += 1;
    return app.gate.call({ id: `call-${count}`, tool, args }, signal === undefined ? {} : { signal });
  };
  return {
    root,
    app,
    call,
    text: async (tool, args) => {
      const result = await call(tool, args);
      if (!result.ok) throw new Error(`${tool} failed with ${result.code}: ${result.text}`);
      return result.text;
    },
    error: async (tool, args) => {
      const result = await call(tool, args);
      if (result.ok) throw new Error(`${tool} succeeded: ${result.text}`);
      return `${result.code}: ${result.text}`;
    },
  };
}
