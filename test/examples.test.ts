import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tempFolder } from './support/folders.ts';
import { repository } from './support/repository.ts';

const [interpreter, program] = process.argv;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.argv = [interpreter!, program!];
});

/** What each example prints, and what is in README.md afterwards. */
const expected: Record<string, { readonly prints: string; readonly readme?: string }> = {
  '01-one-call.ts': {
    prints: 'created notes/a.md (4 bytes)\ndenied: nobody was there to approve it\n',
  },
  '02-own-tool.ts': {
    prints: 'README.md: 2 words\npath is outside the workspace: ../elsewhere\nfalse\n',
  },
  '03-approval.ts': {
    prints: `edit_file wants:
diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1 +1 @@
-hello world
+good day world

edited README.md (1 replacement)
edit_file wants:
diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1 +1 @@
-good day world
+good day moon

The user declined edit_file. Reason: that line stays. Nothing was done. Ask what to do instead, or go another way.
`,
    readme: 'good day world\n',
  },
  '04-agent.ts': {
    prints: 'calls edit_file\ncalls git_diff\nThe greeting is polite now. (verified: true)\n',
    readme: 'good day world\n',
  },
  '05-ai-sdk.ts': { prints: 'approve edit_file?\nDone.\n', readme: 'good day world\n' },
  '06-mcp-server.ts': { prints: '1: hello world\n' },
};

test('every example is run here', () => {
  expect(readdirSync(resolve(import.meta.dirname, '../examples')).filter((name) => name.endsWith('.ts'))).toEqual(
    Object.keys(expected),
  );
});

test.each(Object.entries(expected))('%s', async (name, { prints, readme = 'hello world\n' }) => {
  const folder = repository({ 'README.md': 'hello world\n' });
  vi.stubEnv('BENCHDOG_HOME', tempFolder());
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...words) => void printed.push(`${words.join(' ')}\n`));
  process.argv[2] = folder;
  await import(`../examples/${name.replace('.ts', '')}.ts`);
  expect(printed.join('')).toBe(prints);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(readme);
});
