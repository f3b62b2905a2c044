import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { tempFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';

/** Thirty steps of file tools. None may run twice: each line that is put in would stand there twice. */
const steps = Array.from({ length: 30 }, (_, at) => ({ calls: [callOf(at)] }));

function callOf(at: number) {
  const put = (line: string) => ({ oldString: 'end\n', newString: `${line}\nend\n` });
  switch (at % 5) {
    case 0:
      return { tool: 'write_file', arguments: { path: `new/${at}.txt`, content: `file ${at}\n` } };
    case 1:
      return { tool: 'edit_file', arguments: { path: 'log.txt', ...put(`edit ${at}`) } };
    case 2:
      return { tool: 'read_file', arguments: { path: 'log.txt' } };
    case 3:
      return { tool: 'move_file', arguments: { from: `new/${at - 3}.txt`, to: `moved/${at}.txt` } };
    default:
      return {
        tool: 'multi_edit',
        arguments: { path: 'log.txt', edits: [1, 2].map((part) => put(`${at}.${part}`)) },
      };
  }
}

interface Place {
  readonly program: string;
  readonly ws: string;
  readonly home: string;
  readonly script: string;
}

async function newPlace(): Promise<Place> {
  const ws = tempFolder({ 'log.txt': 'end\n' });
  const home = tempFolder({});
  const script = join(tempFolder({}), 'script.json');
  // Nobody looks at a diff here: the finish checks remind, and are answered the same.
  writeFileSync(script, JSON.stringify([...steps, ...Array(9).fill({ text: 'finished' })]));
  return { program: await builtProgram(), ws, home, script };
}

function start({ program, ws, home, script }: Place, how: readonly string[]): ChildProcess {
  const args = [program, '-p', ...how, '--json', '--model', `scripted:${script}`, '--approve', 'all'];
  const env = { PATH: process.env.PATH, HOME: home, BENCHDOG_HOME: home };
  return spawn(process.execPath, [...args, '--max-steps', '100'], { cwd: ws, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

interface Kill {
  /** The event of calls that it comes after, counted from the start of the process. */
  readonly event: number;
  readonly ms: number;
}

/** Runs until the kill, or to the end; gives the events. */
async function run(place: Place, how: readonly string[], kill?: Kill): Promise<Record<string, unknown>[]> {
  const child = start(place, how);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const events: Record<string, unknown>[] = [];
  let errors = '';
  child.stderr!.on('data', (text) => {
    errors += text;
  });
  let calls = 0;
  for await (const line of createInterface({ input: child.stdout! })) {
    const event = JSON.parse(line) as Record<string, unknown>;
    events.push(event);
    if (String(event.type).startsWith('tool-')) calls += 1;
    if (kill !== undefined && calls === kill.event) {
      calls = Number.NaN;
      void sleep(kill.ms).then(() => child.kill('SIGKILL'));
    }
  }
  await closed;
  // What the journal mended is said; anything else is a fault.
  expect(errors.split('\n').filter((line) => line !== '' && !mended.test(line))).toEqual([]);
  return events;
}

const mended = /^benchdog: An interrupted change \(.*\) was (completed|undone)/;

function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

const kills = fc.array(fc.record({ event: fc.integer({ min: 1, max: 14 }), ms: fc.integer({ min: 0, max: 12 }) }), {
  minLength: 3,
  maxLength: 6,
});

test('kill -9 of the program at random moments of 30 steps, resumed each time, ends with the files of an undisturbed run', async () => {
  const undisturbed = await newPlace();
  await run(undisturbed, ['go']);
  const expected = filesOf(undisturbed.ws);
  expect(Object.keys(expected)).toHaveLength(7);
  await fc.assert(
    fc.asyncProperty(kills, async (moments) => {
      const place = await newPlace();
      let events: Record<string, unknown>[] = [];
      for (const moment of [...moments, undefined]) {
        // A run may come to its end before it is killed.
        if (events.at(-1)?.type === 'done') break;
        events = await run(place, events.length === 0 ? ['go'] : ['-c'], moment);
      }
      expect(events.at(-1)).toMatchObject({ type: 'done', text: 'finished' });
      expect(filesOf(place.ws)).toEqual(expected);
    }),
    { ...runs(2), endOnFailure: true },
  );
}, 300_000);
