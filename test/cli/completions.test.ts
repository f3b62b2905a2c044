import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/command-line.ts';
import { tempFolder } from '../support/folders.ts';

const script = async (shell: string) => (await runHere(['completions', shell])).stdout;

/** What bash would offer for the last of these words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const file = join(tempFolder(), 'completions.bash');
  writeFileSync(file, await script('bash'));
  const ask = `. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _benchdog; printf "%s\\n" "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['-c', ask, 'bash', file, ...words], { encoding: 'utf8' });
  return printed.split('\n').filter((line) => line !== '');
}

test('bash completes commands, sub-commands and flags', async () => {
  expect(await offered('benchdog', 'ca')).toEqual(['call']);
  expect(await offered('benchdog', '--max')).toEqual(['--max-steps', '--max-cost', '--max-time']);
  expect(await offered('benchdog', '--root', '.', 'policy', 'w')).toEqual(['why']);
  expect(await offered('benchdog', 'mcp', '--ht')).toEqual(['--http']);
  expect(await offered('benchdog', 'call', '--max')).toEqual([]);
});

test('zsh reads the same script, fish one with descriptions', async () => {
  expect(await script('zsh')).toBe(`autoload -U +X bashcompinit && bashcompinit\n${await script('bash')}`);
  expect((await script('fish')).split('\n')[0]).toBe(
    "complete -c benchdog -n __fish_use_subcommand -a call -d 'one tool call by hand, through the gate'",
  );
});

test('another shell is wrong usage that lists the shells', async () => {
  const { exit, stderr } = await runHere(['completions', 'tcsh']);
  expect(exit).toBe(2);
  expect(stderr).toContain('Valid: bash, zsh, fish.');
});
