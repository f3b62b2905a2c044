/**
 * One of several processes that add a line of their own to the same file, again and again, reading it anew when told
 * that it is stale. Arguments: root, home, name, how many lines. Prints how often it was told so.
 */
import { ToolError } from '../../../src/base/error.ts';
import { openLog } from '../../../src/base/log.ts';
import { commit } from '../../../src/change/commit.ts';
import { openJournal } from '../../../src/change/recover.ts';
import { fileState } from '../../../src/workspace/file-state.ts';
import { openWorkspace } from '../../../src/workspace/workspace.ts';

const [root, home, name, lines] = process.argv.slice(2) as [string, string, string, string];
const workspace = openWorkspace({ root });
const journal = await openJournal({ home, root: workspace.root });
const log = openLog(`${home}/log.jsonl`, {
  seal: (record, previous) => ({ ...record, previous: previous?.length ?? 0 }),
});
let stale = 0;

async function addLine(line: string): Promise<void> {
  const path = workspace.resolve('shared');
  const before = await workspace.read(path);
  const after = fileState(Buffer.concat([before.bytes, Buffer.from(line)]), before.mode);
  const origin = { callId: line, session: name, tool: 'edit_file' };
  await commit([{ type: 'modify', path, before, after }], { workspace, journal, origin });
}

for (let count = 0; count < Number(lines); ) {
  try {
    await addLine(`${name} ${count}\n`);
    log.append({ name, count });
    count += 1;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'stale') throw error;
    stale += 1;
  }
}
console.log(stale);
