import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSession, sessionFile } from '../../src/agent/session.ts';
import { messagesOf, openCalls } from '../../src/agent/transcript.ts';
import { fakeGate, ok, takeTurn, testAgent } from '../support/agent.ts';
import { tempFolder } from '../support/folders.ts';

interface Report {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly setup: readonly { readonly content?: string; readonly base64?: string }[];
  readonly check: readonly { readonly loads_ids?: number[]; readonly pairs_complete?: boolean }[];
}

const all = JSON.parse(readFileSync(join(import.meta.dirname, '../cases/reports.json'), 'utf8')) as Report[];
const reports = all.filter(({ area }) => area === 'session');

test.each(reports.map((report) => [`${report.id} ${report.title}`, report] as const))('%s', async (_name, report) => {
  const { content, base64 } = report.setup[0]!;
  const home = tempFolder();
  mkdirSync(join(home, 'sessions'));
  writeFileSync(sessionFile(home, 's1'), content ?? Buffer.from(base64!, 'base64'));
  const { session, warnings } = openSession({ home, root: '/project' }, { id: 's1' });
  for (const check of report.check) {
    if (check.loads_ids !== undefined) {
      expect(session.records.map(({ id }) => id)).toEqual(check.loads_ids);
      expect(warnings).toHaveLength(1);
    }
    if (check.pairs_complete === true) {
      const gate = fakeGate({ bash: () => ok('ran'), read_file: () => ok('read') });
      await takeTurn(testAgent([{}, { text: 'on' }], gate), 'go on', { session });
      expect([gate.seen, openCalls(session.records)]).toEqual([[], []]);
      const roles = messagesOf(session.records).map(({ role }) => role);
      expect(roles).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
    }
  }
  session.close();
});
