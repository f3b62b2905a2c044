/**
 * A program that takes one turn of 30 steps in a workspace and kills itself with SIGKILL at the step on the disk or in the
 * session that KILL_AT counts. Started again it goes on with the same session.
 */
import { join } from 'node:path';
import type { Gate } from '../../src/agent/gate.ts';
import { runTurn } from '../../src/agent/loop.ts';
import type { Session } from '../../src/agent/record.ts';
import { openSession } from '../../src/agent/session.ts';
import { latestSession } from '../../src/agent/session-list.ts';
import { commit } from '../../src/change/commit.ts';
import { openJournal } from '../../src/change/recover.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { createToolState } from '../../src/tool/state.ts';
import { fileState } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';

const [folder, killAt] = [process.argv[2]!, Number(process.argv[3])];
let point = 0;
const mayDie = () => {
  point += 1;
  if (point === killAt) process.kill(process.pid, 'SIGKILL');
};

const [home, root] = [join(folder, 'home'), join(folder, 'ws')];
const workspace = openWorkspace({ root });
const journal = await openJournal({ home, root: workspace.root });
const opened = openSession({ home, root }, latestSession(home, root) === undefined ? 'new' : 'latest').session;
const session: Session = {
  ...opened,
  records: opened.records,
  append(record) {
    mayDie();
    const stored = opened.append(record);
    mayDie();
    return stored;
  },
};

/** `append` is not idempotent: a step that ran twice would show in the file. */
const gate: Gate = {
  definitions: () => [{ name: 'append', description: 'Appends a line.', input: { type: 'object' }, readOnly: false }],
  personSpoke: () => {},
  async call({ id, args }, { onStart } = {}) {
    const { line } = JSON.parse(String(args)) as { line: string };
    const path = workspace.resolve('log.txt');
    const before = await workspace.read(path);
    const after = fileState(Buffer.concat([before.bytes, Buffer.from(`${line}\n`)]));
    await onStart?.('change');
    const origin = { callId: id, session: session.id, tool: 'append' };
    const summary = { type: 'modify' as const, path: path.rel, added: 1, removed: 0 };
    await commit([{ type: 'modify', path, before, after }], {
      workspace,
      journal,
      origin,
      summaries: [summary],
      onStep: mayDie,
    });
    mayDie();
    return { ok: true, text: 'appended', changes: [summary] };
  },
};

const steps = Array.from({ length: 30 }, (_, at) => ({
  calls: [{ tool: 'append', arguments: { line: `step ${at + 1}` } }],
}));
const agent = {
  model: scriptedModel([...steps, { text: 'finished' }]),
  gate,
  workspace,
  journal,
  state: createToolState(),
  instructions: () => ({
    root,
    git: false,
    platform: process.platform,
    attended: false,
    planOnly: false,
    instructions: [],
    notes: [],
    skills: [],
    extra: [],
  }),
  limits: { maxSteps: 100 },
  checks: { diffs: false, claims: false, maxNudges: 0 },
};
const begun = session.records.some((record) => 'role' in record);
for await (const event of runTurn(agent, session, begun ? undefined : 'go', { signal: new AbortController().signal })) {
  if (event.type === 'error') console.error(event.text);
  if (event.type === 'done') console.log(JSON.stringify({ exit: event.exit, text: event.text, points: point }));
}
session.close();
