import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolResult } from '../../src/gate/gateway.ts';
import type { Decision } from '../../src/gate/verdict.ts';
import type { Check } from './case.ts';

/** What a call left behind, for its checks to look at. */
export interface Evidence {
  readonly folder: string;
  readonly result: ToolResult;
  readonly decision: Decision;
  readonly ms: number;
  readonly grownMb: number;
  /** Files as they were before the call. */
  readonly before: ReadonlyMap<string, string>;
}

/** The checks that do not hold, in words; empty when all do. */
export async function failures(checks: readonly Check[], evidence: Evidence): Promise<string[]> {
  const found = await Promise.all(checks.map((check) => failure(check, evidence)));
  return found.filter((one) => one !== undefined);
}

async function failure(check: Check, evidence: Evidence): Promise<string | undefined> {
  if (Array.isArray(check.any)) {
    const branches = await Promise.all((check.any as Check[][]).map((branch) => failures(branch, evidence)));
    return branches.some((branch) => branch.length === 0) ? undefined : `none of: ${JSON.stringify(branches)}`;
  }
  return (await holds(check, evidence)) ? undefined : `${JSON.stringify(check)} got ${seen(check, evidence)}`;
}

async function holds(check: Check, evidence: Evidence): Promise<boolean> {
  const { folder, result } = evidence;
  const at = (name: unknown) => join(folder, name as string);
  const texts = (value: unknown) => (Array.isArray(value) ? value : [value]) as string[];
  if ('file' in check) {
    const wanted =
      'base64' in check ? Buffer.from(check.base64 as string, 'base64') : Buffer.from(check.text as string);
    return existsSync(at(check.file)) && readFileSync(at(check.file)).equals(wanted);
  }
  if ('file_has' in check)
    return texts(check.text).every((text) => readFileSync(at(check.file_has), 'utf8').includes(text));
  if ('unchanged' in check)
    return texts(check.unchanged).every((name) => contentOf(at(name)) === evidence.before.get(name));
  if ('absent' in check) return texts(check.absent).every((name) => !existsSync(at(name)));
  if ('present' in check) return texts(check.present).every((name) => existsSync(at(name)));
  if ('link' in check) return lstatSync(at(check.link)).isSymbolicLink();
  if ('mode' in check) return modeOf(at(check.mode)) === Number.parseInt(check.is as string, 8);
  if ('dir_is' in check) return lstatSync(at(check.dir_is)).isDirectory();
  if ('error' in check) return check.error === !result.ok;
  if ('exit' in check) return result.text.toLowerCase().includes(`exit code: ${check.exit}`);
  if ('result_has' in check) return texts(check.result_has).every((text) => result.text.includes(text));
  if ('result_has_any' in check) return texts(check.result_has_any).some((text) => result.text.includes(text));
  if ('result_lacks' in check) return texts(check.result_lacks).every((text) => !result.text.includes(text));
  if ('result_count' in check) return result.text.split(check.result_count as string).length - 1 === check.is;
  if ('result_max_chars' in check) return result.text.length <= (check.result_max_chars as number);
  if ('well_formed' in check) return !/\p{Surrogate}/u.test(result.text);
  if ('max_ms' in check) return evidence.ms <= (check.max_ms as number);
  if ('rss_growth_max_mb' in check) return evidence.grownMb <= (check.rss_growth_max_mb as number);
  if ('stops_growing' in check) return stopsGrowing(at(check.stops_growing), check.after_ms as number);
  if ('decision' in check) {
    return check.decision === 'not-allow' ? evidence.decision !== 'allow' : evidence.decision === check.decision;
  }
  throw new Error(`unknown check ${JSON.stringify(check)}`);
}

export function contentOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'absent';
  return stats.isFile() ? readFileSync(path).toString('base64') : `not a file, mode ${stats.mode}`;
}

async function stopsGrowing(path: string, afterMs: number): Promise<boolean> {
  await sleep(afterMs);
  const size = statSync(path).size;
  await sleep(700);
  return statSync(path).size === size;
}

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o7777;
}

function seen(check: Check, { folder, result, decision, ms, grownMb }: Evidence): string {
  if ('decision' in check) return decision;
  if ('max_ms' in check) return `${ms} ms`;
  if ('rss_growth_max_mb' in check) return `${grownMb} MB`;
  if ('file' in check && existsSync(join(folder, check.file as string))) {
    return `${JSON.stringify(readFileSync(join(folder, check.file as string), 'utf8'))} after ${JSON.stringify(result)}`;
  }
  return JSON.stringify(result);
}
