import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Runs every property test for as long as is asked: `npm run fuzz -- --seconds 60 --seed 7 patch gate`. The seed stands
 * in the first line, and a failure prints the smallest input that shows it; found cases become ordinary tests.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isInteger(seed)) fail('--seconds wants a number above 0, and --seed a whole one.');

const all = propertyTests();
const files = positionals.length === 0 ? all : all.filter((file) => positionals.some((name) => file.includes(name)));
if (files.length === 0) fail(`No property test is named like ${positionals.join(', ')}. There are:\n${all.join('\n')}`);

console.log(`seed ${seed}, ${seconds} s a property, ${files.length} files`);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', `--testTimeout=${(seconds * 4 + 120) * 1000}`, ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, BENCHDOG_FUZZ_SECONDS: String(seconds), BENCHDOG_FUZZ_SEED: String(seed) },
  },
);
process.exit(status ?? 1);

/** The test files that hold properties: those that ask `runs` how long to go on. */
function propertyTests(): string[] {
  const names = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  const files = names.map((name) => `test/${name.replaceAll('\\', '/')}`).sort();
  return files.filter((file) => readFileSync(file, 'utf8').includes('support/runs.ts'));
}

function fail(text: string): never {
  console.error(text);
  process.exit(2);
}
