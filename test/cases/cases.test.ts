import { describe, expect, onTestFinished, test } from 'vitest';
import { type Case, type Check, cases, type ToolCall } from './case.ts';
import { type Evidence, failures } from './judge.ts';
import { argumentsOf, type Stage, stageCase } from './stage.ts';

/** Cases of these kinds are about rooms with a harness of their own. */
const elsewhere = new Set(['mcp', 'session']);

/** Which dialects spell a case's call, and how. */
function spellings(call: ToolCall): readonly { dialect: string; tool: string }[] {
  if (call.tool === 'edit_file' && call.args !== undefined && 'patch' in call.args) {
    return [
      { dialect: 'udiff', tool: 'edit_file' },
      { dialect: 'native', tool: 'apply_patch' },
    ];
  }
  if (call.tool === 'search_code' || call.tool === 'list_files') return [{ dialect: 'udiff', tool: call.tool }];
  if (call.tool === 'delete_file') return ['native', 'udiff'].map((dialect) => ({ dialect, tool: call.tool }));
  const tool = call.tool;
  return ['native', 'shiro'].map((dialect) => ({ dialect, tool }));
}

for (const one of cases.filter(({ area }) => !elsewhere.has(area))) {
  describe(`${one.id} ${one.title}`, () => {
    for (const { dialect, tool } of spellings(one.call)) {
      test(`${dialect} ${tool}`, () => play(one, one.call, dialect, tool, one.check), 60_000);
    }
    for (const [at, call] of (one.also ?? []).entries()) {
      for (const { dialect, tool } of spellings(call)) {
        test(`${dialect} ${tool}, also ${at + 1}`, () => play(one, call, dialect, tool, alsoChecks(one)), 60_000);
      }
    }
  });
}

/** B035 checks its second call with the first one's words; that call has no b.txt to name, and `expect` wins. */
function alsoChecks(one: Case): readonly Check[] {
  const checks = one.also_check ?? one.check;
  return one.id === 'B035' ? checks.filter((check) => !('result_has' in check)) : checks;
}

async function play(one: Case, call: ToolCall, dialect: string, tool: string, checks: readonly Check[]): Promise<void> {
  const stage = await stageCase(one, dialect);
  onTestFinished(() => stage.app.close());
  const others = (one.parallel_with ?? []).map((other) => run(stage, other, other.tool));
  const evidence = await run(stage, call, tool);
  await Promise.all(others);
  expect(await failures(checks, evidence)).toEqual([]);
  let last = evidence;
  for (const next of call === one.call ? (one.then ?? []) : []) last = await run(stage, next, next.tool);
  if (one.then_check !== undefined && call === one.call) expect(await failures(one.then_check, last)).toEqual([]);
  expect(await failures([{ absent: 'pwned.txt' }, { result_lacks: 'zzz-secret' }], last)).toEqual([]);
}

async function run({ app, folder, before }: Stage, call: ToolCall, tool: string): Promise<Evidence> {
  const args = argumentsOf(call, folder);
  const decision = await app.gate.judge({ tool, args }).then(
    ({ verdict }) => verdict.decision,
    () => 'deny' as const,
  );
  const rss = process.memoryUsage.rss();
  const start = performance.now();
  const result = await app.gate.call({ id: `${tool}-${start}`, tool, args });
  const ms = performance.now() - start;
  const grownMb = (process.memoryUsage.rss() - rss) / 2 ** 20;
  return { folder, result, decision, ms, grownMb, before };
}
