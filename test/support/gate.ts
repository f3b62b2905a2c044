import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApp, type Settings } from '../../src/app.ts';
import type { Answer, ApprovalRequest } from '../../src/gate/approver.ts';
import { readAudit } from '../../src/gate/audit.ts';
import type { CallOptions, ToolResult } from '../../src/gate/gateway.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { tempFolder } from './folders.ts';

export interface GateSetup {
  readonly files?: Record<string, string | Buffer>;
  readonly root?: string;
  readonly flags?: Settings;
  /** What a person answers; without it nobody is there. */
  readonly answer?: (request: ApprovalRequest, count: number) => Answer | Promise<Answer>;
  readonly repeatGuard?: boolean;
  readonly tools?: readonly Tool[];
  readonly config?: object;
}

/** The whole product but its command line: real tools, rules, journal, and an approver that answers as told. */
export async function openTestGate(setup: GateSetup = {}) {
  const { answer, repeatGuard = false } = setup;
  const root = setup.root ?? tempFolder(setup.files);
  const home = tempFolder(setup.config === undefined ? {} : { 'config.json': JSON.stringify(setup.config) });
  const asked: ApprovalRequest[] = [];
  const app = await createApp({
    flags: { root, ...setup.flags },
    env: { ...process.env, BENCHDOG_HOME: home },
    approver: {
      present: answer !== undefined,
      ask: async (request) => {
        asked.push(request);
        return answer!(request, asked.length);
      },
    },
    session: 'test',
    repeatGuard,
  });
  onTestFinished(() => app.close());
  for (const tool of setup.tools ?? []) app.registry.add(tool);
  let calls = 0;
  return {
    app,
    root,
    home,
    asked,
    call(tool: string, args: unknown, options?: CallOptions): Promise<ToolResult> {
      calls += 1;
      return app.gate.call({ id: `call-${calls}`, tool, args }, options);
    },
    read: (name: string) => readFileSync(join(root, name), 'utf8'),
    audit: () => auditOf(home),
  };
}

export type TestGate = Awaited<ReturnType<typeof openTestGate>>;

function auditOf(home: string) {
  const [file] = readdirSync(join(home, 'audit')).filter((name) => name.endsWith('.jsonl'));
  return readAudit(join(home, 'audit', file!));
}
