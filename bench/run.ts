import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Comparison } from './measure.ts';

/** Comparisons all at once, or each as it is there. */
interface Suite {
  run(): Promise<Comparison[]> | AsyncIterable<Comparison>;
}

/** Every comparison: a name for the command line, and what it measures. `npm run bench -- edit search` runs two. */
const suites: Record<string, () => Promise<Suite>> = {
  edit: () => import('./edit.ts'),
  agent: () => import('./agent.ts'),
  search: () => import('./search.ts'),
  read: () => import('./read.ts'),
  commands: () => import('./commands.ts'),
  policy: () => import('./policy.ts'),
  ui: () => import('./ui.ts'),
  peers: () => import('./peers.ts'),
  view: () => import('./view.ts'),
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`unknown bench ${unknown.join(', ')}. Valid: ${Object.keys(suites).join(', ')}`);
  process.exit(2);
}

const results: Comparison[] = [];
for (const [name, load] of Object.entries(suites)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n${name}`);
  for await (const one of await (await load()).run()) {
    results.push(one);
    console.log(line(one));
  }
}
const machine = { node: process.version, cpus: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30) };
writeFileSync(new URL('./results.json', import.meta.url), `${JSON.stringify({ machine, results }, null, 2)}\n`);

function line({ name, against, ours, floor, ratio, limit, unit }: Comparison): string {
  const verdict = limit === undefined ? '' : ratio <= limit ? `  (limit ${limit}: met)` : `  (limit ${limit}: MISSED)`;
  return `  ${name.padEnd(44)} ${ours.toFixed(2)} ${unit} : ${floor.toFixed(2)} ${unit} ${against} = ${ratio.toFixed(2)}×${verdict}`;
}
