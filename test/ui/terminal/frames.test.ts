import { expect, test } from 'vitest';
import { openGate } from '../../../src/open-gate.ts';
import { tempFolder } from '../../support/folders.ts';
import { busyTurn, standAt } from '../../support/frames.ts';

const widths = [60, 80, 200];

const parse = `export function parse(text: string): Row[] {
  const rows: Row[] = [];
  const lines = text.split('\\n');
  for (let at = 0; at < lines.length - 1; at += 1) {
    rows.push(parseLine(lines[at]));
  }
  return rows;
}

function parseLine(line: string): Row {
  const [name, value] = line.split('=');
  return { name, value };
}

export function format(rows: Row[]): string {
  return rows.map((row) => row.name + '=' + row.value).join('\\n');
}
`;

/** A gate whose approvals come up on the stand. */
async function gateOn(width: number) {
  const stand = standAt(width);
  const root = tempFolder({ 'src/parse.ts': parse });
  const home = tempFolder();
  const { gate, close } = await openGate({ root, home, approver: stand.ui.approver });
  return { ...stand, gate, close };
}

const edits = [
  { oldString: 'at < lines.length - 1', newString: 'at < lines.length' },
  { oldString: "join('\\n');\n}", newString: "join('\\n').concat('\\n');\n}" },
];

test.each(widths)('a turn in full swing, %i columns', async (width) => {
  const { ui, shows } = standAt(width);
  for (const event of busyTurn) ui.event(event);
  await expect(await shows('queued: and then')).toMatchFileSnapshot(`frames/busy-${width}.txt`);
  await ui.close();
});

test.each(widths)('a turn that is over, %i columns', async (width) => {
  const { ui, shows } = standAt(width);
  ui.show({ type: 'prompt', text: 'mend the parser\nand run the tests' });
  for (const event of busyTurn) ui.event(event);
  ui.event({
    type: 'tool-result',
    callId: 'c1',
    tool: 'bash',
    text: 'exit code: 1\nstdout:\none\ntwo\nthree\nfour\nfive\nsix',
    changes: [],
  });
  ui.event({
    type: 'tool-error',
    callId: 'c2',
    tool: 'task',
    code: 'failed',
    text: 'The subagent failed: no route to host',
  });
  ui.event({ type: 'tool-start', callId: 'c3', tool: 'read_file', arguments: '{"path":"secrets/.env"}' });
  ui.event({
    type: 'tool-denied',
    callId: 'c3',
    tool: 'read_file',
    text: 'read_file secrets/.env is denied by built-in: secrets "*.env".',
  });
  ui.event({ type: 'delta', of: 'text', text: '| file | lines |\n|---|---|\n| src/parse.ts | 12 |\n\nThat is all.' });
  ui.event({ type: 'notice', code: 'interrupted', text: 'Interrupted.' });
  ui.event({
    type: 'done',
    exit: 130,
    text: '',
    steps: 3,
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    receipt: { files: [], commands: [], claims: [], verified: true },
  });
  await expect(await shows('exit 130')).toMatchFileSnapshot(`frames/over-${width}.txt`);
  await ui.close();
});

test.each(widths)('an approval of a change, %i columns', async (width) => {
  const { ui, shows, gate, close } = await gateOn(width);
  const result = gate.call({ id: '1', tool: 'multi_edit', args: { path: 'src/parse.ts', edits } });
  await expect(await shows('y once')).toMatchFileSnapshot(`frames/approval-${width}.txt`);
  ui.dismiss();
  expect((await result).ok).toBe(false);
  await Promise.all([ui.close(), close()]);
});

test.each(widths)('an approval of a command with what can not be seen in it, %i columns', async (width) => {
  const { ui, shows, gate, close } = await gateOn(width);
  const command = 'npm test && c\u0430t notes.txt \u202e | tee out/\u200blog.txt';
  const result = gate.call({ id: '1', tool: 'bash', args: { command } });
  await expect(await shows('y once')).toMatchFileSnapshot(`frames/command-${width}.txt`);
  ui.dismiss();
  await result;
  await Promise.all([ui.close(), close()]);
});

test.each(widths)('hunk by hunk, %i columns', async (width) => {
  const { ui, shows, gate, close, terminal } = await gateOn(width);
  const result = gate.call({ id: '1', tool: 'multi_edit', args: { path: 'src/parse.ts', edits } });
  await shows('h by hunk');
  terminal.key('h');
  await shows('hunk 1 of 2');
  terminal.key('n');
  await expect(await shows('hunk 2 of 2')).toMatchFileSnapshot(`frames/hunks-${width}.txt`);
  terminal.key('\r');
  expect((await result).text).toContain('The user left out one hunk: src/parse.ts#1.');
  await Promise.all([ui.close(), close()]);
});

test.each(widths)('a question with choices, %i columns', async (width) => {
  const { ui, shows, terminal } = standAt(width);
  const question = 'Which database shall the tests use? The compose file names two.';
  const options = [
    { label: 'SQLite', detail: 'no server, what CI has' },
    { label: 'PostgreSQL', detail: 'what production has; needs the container running on this machine' },
  ];
  const answer = ui.ask({ question, options, multiple: true }, new AbortController().signal);
  await shows('PostgreSQL');
  terminal.key(' ');
  terminal.key('\x1b[B');
  terminal.key(' ');
  await expect(await shows('[x] PostgreSQL')).toMatchFileSnapshot(`frames/question-${width}.txt`);
  terminal.key('\r');
  expect(await answer).toEqual(['SQLite', 'PostgreSQL']);
  await ui.close();
});
