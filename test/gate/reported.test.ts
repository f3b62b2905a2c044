import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JudgedCall, Verdict } from '../../src/gate/verdict.ts';
import { tempFolder } from '../support/folders.ts';
import { bench, type Permission } from './support.ts';

interface Step {
  readonly file?: string;
  readonly content?: string;
  readonly sh?: string;
  readonly mode?: string;
}
interface ToolCall {
  readonly tool: string;
  readonly args: { readonly command?: string; readonly path?: string; readonly files?: { path: string }[] };
}
interface Case {
  readonly id: string;
  readonly title: string;
  readonly config: { readonly permission: Permission };
  readonly setup: Step[];
  readonly call: ToolCall;
  readonly also?: ToolCall[];
  readonly then?: ToolCall[];
  readonly answer?: string;
  readonly check: Record<string, unknown>[];
  readonly then_check?: Record<string, unknown>[];
}

const cases = JSON.parse(readFileSync(join(import.meta.dirname, 'reported.json'), 'utf8')) as Case[];

describe.each(cases)('$id $title', (entry) => {
  test.each([entry.call, ...(entry.also ?? [])])('$args', (call) => {
    const { policy, judge } = open(entry);
    const verdict = judge(call);
    expectDecision(verdict, entry.check);
    if (entry.answer === 'always' && verdict.always !== undefined) policy.grant(call.tool, verdict.always);
    for (const next of entry.then ?? []) expectDecision(judge(next), entry.then_check ?? []);
  });
});

function open(entry: Case) {
  const root = tempFolder();
  for (const step of entry.setup) prepare(root, step);
  const { policy, sh, file } = bench(entry.config.permission, {}, { root });
  const callOf = ({ tool, args }: ToolCall): JudgedCall => {
    if (args.command !== undefined) return sh(args.command);
    return file(tool, 'read', ...(args.files?.map(({ path }) => path) ?? [args.path!]));
  };
  return { policy, judge: (call: ToolCall) => policy.judge(callOf(call)) };
}

function prepare(root: string, { file, content, sh, mode }: Step): void {
  if (sh !== undefined) execFileSync('bash', ['-c', sh], { cwd: root, stdio: 'ignore' });
  if (file === undefined) return;
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content ?? '', mode === undefined ? {} : { mode: Number.parseInt(mode, 8) });
}

function expectDecision({ decision }: Verdict, checks: Record<string, unknown>[]): void {
  for (const check of checks) {
    if (check.decision === 'not-allow') expect(decision).not.toBe('allow');
    else if (typeof check.decision === 'string') expect(decision).toBe(check.decision);
    else if (check.error === true) expect(decision).toBe('deny');
  }
}
