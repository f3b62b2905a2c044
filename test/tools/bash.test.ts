import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { masker } from '../../src/process/mask.ts';
import { goDuration, rousseauBash, shiroBash } from '../../src/tools/bash.ts';
import type { ShellSettings } from '../../src/tools/command.ts';
import { tempFolder } from '../support/folders.ts';
import { until } from '../support/processes.ts';
import { type CallOptions, callTool } from '../support/tool-call.ts';

/** A home of its own, so that the profile of whoever runs the tests plays no part. */
function settings(more: ShellSettings & { base?: NodeJS.ProcessEnv; home?: Record<string, string> } = {}) {
  const { base, home, ...rest } = more;
  return { env: () => childEnvironment({ ...process.env, HOME: tempFolderOnce(home), ...base }), ...rest };
}

function tempFolderOnce(files: Record<string, string> = {}): string {
  return tempFolder(files);
}

const shiro = (command: string, options: Partial<CallOptions> & { timeout?: number; with?: ShellSettings } = {}) => {
  const { timeout, with: more, ...rest } = options;
  const args = timeout === undefined ? { command } : { command, timeout };
  return callTool(shiroBash(settings(more)), args, { root: tempFolder(), ...rest });
};

const rousseau = (command: string, options: Partial<CallOptions> & { timeoutMs?: number } = {}) =>
  callTool(
    rousseauBash({ ...settings(), ...(options.timeoutMs ? { timeoutMs: options.timeoutMs } : {}) }),
    { command },
    { root: tempFolder(), pathStyle: 'absolute', ...options },
  );

describe('shiro', () => {
  test('returns exit code, stdout and stderr', async () => {
    expect((await shiro('echo out; echo err >&2; exit 3')).text).toBe('exit code: 3\nstdout:\nout\nstderr:\nerr');
    expect(await shiro('true')).toMatchObject({ text: 'exit code: 0\n(no output)' });
  });

  test('a non-zero exit is a result, not an error', async () => {
    expect((await shiro('exit 7')).code).toBeUndefined();
  });

  test('runs in the workspace root, in a login bash, with the profile read', async () => {
    const root = tempFolder();
    const home = { '.bash_profile': 'export FROM_PROFILE=yes; greet() { echo greeted; }\n' };
    const tool = shiroBash(settings({ home } as ShellSettings));
    const { text } = await callTool(
      tool,
      { command: 'pwd; shopt -q login_shell && echo login; echo $FROM_PROFILE; greet' },
      { root },
    );
    expect(text).toBe(`exit code: 0\nstdout:\n${root}\nlogin\nyes\ngreeted`);
  });

  test('streams live, both streams', async () => {
    const { progress } = await shiro('echo one; echo two >&2');
    expect(progress).toContainEqual({ type: 'output', stream: 'stdout', text: 'one\n' });
    expect(progress).toContainEqual({ type: 'output', stream: 'stderr', text: 'two\n' });
  });

  test('both pipes are drained: filling one while the other is open does not deadlock', async () => {
    const { text } = await shiro('head -c 300000 /dev/zero | tr "\\0" x >&2; echo done');
    expect(text).toContain('stdout:\ndone');
  });

  test('the schema costs at most what the document says', () => {
    const { name, description, input } = shiroBash();
    expect(JSON.stringify({ name, description, input }).length).toBeLessThanOrEqual(466);
  });

  test('names its effect: the command, for bash, in the root', async () => {
    const root = tempFolder();
    const { openWorkspace } = await import('../../src/workspace/workspace.ts');
    const workspace = openWorkspace({ root });
    const call = await shiroBash().prepare({ command: 'ls' }, { workspace } as never);
    expect(call.effects).toEqual([{ kind: 'execute', shell: 'bash', command: 'ls', cwd: workspace.resolve('.') }]);
    expect(call.subject).toBe('ls');
  });

  test.each([
    [{ command: 'ls', timeout: 600_001 }, 'field "timeout" must be at most 600000, got 600001'],
    [{ command: 'ls', timeout: 0 }, 'field "timeout" must be at least 1, got 0'],
    [{ command: '  ' }, 'field "command": is empty; send a shell command'],
    [{ command: 'ls', cwd: '/' }, 'json: unknown field "cwd"'],
  ])('refuses %j', async (args, problem) => {
    const result = await callTool(shiroBash(), args, { root: tempFolder() });
    expect(result.code).toBe('invalid');
    expect(result.text).toContain(problem);
  });

  test('a NUL character is refused', async () => {
    expect((await shiro('echo a\0b')).code).toBe('invalid');
  });

  test('a child in the background does not keep the call open, and ends with it', async () => {
    const { text, code } = await shiro('sleep 60 & echo started');
    expect(code).toBeUndefined();
    expect(text).toMatch(/^exit code: 0\nstdout:\nstarted\nnote: ended with the command: (sleep|bash) \(\d+\)\.$/);
  });

  test('a time-out kills the shell and its background loops', async () => {
    const root = tempFolder();
    const command = 'for i in 1 2 3; do (while :; do echo t >> ticks.log; sleep 0.1; done) & done; sleep 60';
    const { text, code } = await shiro(command, { root, timeout: 700 });
    expect(code).toBe('timeout');
    expect(text).toMatch(/^The command did not finish within 700 ms and was killed with all it had started\./);
    const size = statSync(join(root, 'ticks.log')).size;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(statSync(join(root, 'ticks.log')).size).toBe(size);
  });

  test('standard input is at its end and no terminal', async () => {
    const { text } = await shiro(
      'cat; read x; echo "got:$x"; [ -t 0 ] && echo tty || echo notty; (: < /dev/tty) 2>&1 | grep -c .',
    );
    expect(text).toBe('exit code: 0\nstdout:\ngot:\nnotty\n1');
  });

  test('git commit opens no editor: it fails in its own words', async () => {
    const root = tempFolder({ 'a.txt': '1\n' });
    const setup =
      'git init -q . && git config user.email d@example.test && git config user.name D && git add -A && git commit -q -m first && echo 2 > a.txt && git add a.txt';
    await shiro(setup, { root });
    const { text } = await shiro('git commit; git log --oneline | wc -l; git rebase -i --root', { root });
    expect(text).toContain("problem with the editor 'false'");
    expect(text).toMatch(/stdout:\n\s*1\n/);
  });

  test('a command killed by a signal has failed, and says by which', async () => {
    expect(await shiro('echo early; kill -KILL $$')).toMatchObject({
      code: 'failed',
      text: 'exit code: 137 (killed by SIGKILL)\nstdout:\nearly',
    });
  });

  test('a folder deleted by an earlier command does not matter; a deleted root is said plainly', async () => {
    const root = tempFolder();
    await shiro('mkdir tmpd; cd tmpd && pwd', { root });
    await shiro('rm -rf tmpd', { root });
    expect((await shiro('echo alive', { root })).text).toBe('exit code: 0\nstdout:\nalive');
    const tool = shiroBash(settings());
    const { openWorkspace } = await import('../../src/workspace/workspace.ts');
    const workspace = openWorkspace({ root });
    rmSync(root, { recursive: true });
    const context = { workspace, callId: 'c', signal: new AbortController().signal, emit: () => {} };
    const plan = await (await tool.prepare({ command: 'echo x' }, context as never)).plan();
    if (plan.type !== 'action') throw new Error('no action');
    await expect(plan.run()).rejects.toMatchObject({
      code: 'missing',
      message: `The working folder ${root} no longer exists, so nothing was run.`,
    });
  });

  test('interrupted: fails, with the output so far', async () => {
    const stop = new AbortController();
    const root = tempFolder();
    const running = shiro('echo before; touch started; sleep 60', { root, signal: stop.signal });
    while (!existsSync(join(root, 'started'))) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    expect(await running).toMatchObject({
      code: 'interrupted',
      text: 'The user interrupted this command. It did not finish, so its effects are unknown.\nstdout:\nbefore',
    });
  });

  test('interrupted before it printed anything: the stream is still named', async () => {
    const stop = new AbortController();
    const root = tempFolder();
    const running = shiro('touch started; sleep 60', { root, signal: stop.signal });
    while (!existsSync(join(root, 'started'))) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    expect((await running).text).toBe(
      'The user interrupted this command. It did not finish, so its effects are unknown.\nstdout:\n',
    );
  });

  test('a call that was cancelled before does not run', async () => {
    const root = tempFolder();
    expect((await shiro('touch ran', { root, signal: AbortSignal.abort() })).code).toBe('interrupted');
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  test('a prompt that nobody answers is named when the time is over', async () => {
    const { text } = await shiro('printf "Password: "; sleep 30', { timeout: 500 });
    expect(text).toContain('note: it seems to have been waiting for input at "Password:".');
    const stop = new AbortController();
    const root = tempFolder();
    const command = 'printf "Password: "; touch asked; sleep 30';
    const running = callTool(shiroBash(), { command }, { root, signal: stop.signal });
    await until(() => existsSync(join(root, 'asked')));
    setTimeout(() => stop.abort(), 300);
    expect((await running).text).toContain('waiting for input at "Password:"');
  });

  test('long output keeps head and tail, counts the middle and says where the whole is', async () => {
    const outputs = join(tempFolder(), 'outputs');
    const { text } = await shiro('seq 1 100000; echo END', { with: { outputs }, callId: 'call_9' });
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toMatch(/^exit code: 0\nstdout:\n1\n2\n3\n/);
    expect(text).toMatch(/\n\.\.\. \[truncated [\d,]+ chars\] Whole output: @output\/call_9\n/);
    expect(text).toMatch(/\n100000\nEND$/);
    const whole = readFileSync(join(outputs, 'call_9'), 'utf8');
    expect(whole).toBe(`${Array.from({ length: 100_000 }, (_, at) => at + 1).join('\n')}\nEND\n`);
    expect(statSync(join(outputs, 'call_9')).mode & 0o777).toBe(0o600);
    expect(statSync(outputs).mode & 0o777).toBe(0o700);
  });

  test('short output leaves no file behind', async () => {
    const outputs = join(tempFolder(), 'outputs');
    await shiro('echo short', { with: { outputs } });
    expect(existsSync(outputs)).toBe(false);
  });

  test('terminal sequences are stripped, redrawn lines settled', async () => {
    const { text } = await shiro(`printf '\\033[31mred\\033[0m\\n10%%\\r50%%\\r100%%\\n\\033]0;title\\007after\\n'`);
    expect(text).toBe('exit code: 0\nstdout:\nred\n100%\nafter');
  });

  test('secrets are masked, live and in the result', async () => {
    const mask = () => masker(['zzz-secret-value']);
    const { text, progress } = await shiro('echo "a zzz-secret-value b"', { with: { mask } });
    expect(text).toBe('exit code: 0\nstdout:\na [masked] b');
    expect(JSON.stringify(progress)).not.toContain('zzz-secret');
  });
});

describe('environment', () => {
  const keys = {
    ANTHROPIC_API_KEY: 'sk-test-AAA',
    OPENROUTER_API_KEY: 'or-test-BBB',
    GH_TOKEN: 'gh-test-CCC',
    HOME_MARK: 'kept',
  };

  test('our own keys do not reach a command, ordinary variables do', async () => {
    const { text } = await shiro('env', { with: { base: keys } as ShellSettings });
    expect(text).not.toMatch(/sk-test-AAA|or-test-BBB|gh-test-CCC/);
    expect(text).toContain('HOME_MARK=kept');
  });

  const hostile = [
    [
      'sets them',
      'export MY_API_KEY=back OPENAI_BASE_URL=back EDITOR=vim PAGER=less GIT_PAGER=less; export BASH_ENV=$HOME/again\n',
    ],
    ['makes them read-only', 'declare -rx MY_API_KEY=back; declare -rx EDITOR=vim; declare -rx PAGER=less\n'],
    [
      'hides the built-ins',
      'export MY_API_KEY=back EDITOR=vim PAGER=less; unset() { :; }; export() { :; }; builtin() { :; }; exec() { :; }; shopt() { :; }\n',
    ],
    [
      'hides the keywords',
      'export MY_API_KEY=back EDITOR=vim PAGER=less; shopt -s expand_aliases; alias for=: case=: unset=: export=:\n',
    ],
    [
      'makes all it can read-only',
      'readonly __name=3 __benchdog=no IFS=: x=1; declare -rx MY_API_KEY=back EDITOR=vim; export OPENAI_API_KEY=back PAGER=less\n',
    ],
    ['sets editors of other programs', 'export KUBE_EDITOR=vim SVN_EDITOR=vim SUDO_EDITOR=vim BAT_PAGER=less\n'],
    ['sets arguments', 'set -- EDITOR PAGER; export MY_API_KEY=back EDITOR=vim PAGER=less\n'],
    [
      'knows where the command is kept',
      'readonly BASH_EXECUTION_STRING; export MY_API_KEY=back EDITOR=vim PAGER=less\n',
    ],
    ['hides eval', 'eval() { :; }; set() { :; }; export MY_API_KEY=back EDITOR=vim PAGER=less\n'],
    ['is in strict mode', 'set -eu; export MY_API_KEY=back EDITOR=vim PAGER=less\n'],
  ] as const;
  test.each(hostile)('a profile that %s brings back neither key nor editor nor pager', async (_, profile) => {
    const home = { '.bash_profile': profile, again: 'export MY_API_KEY=back\n' };
    const { text } = await shiro("bash -c env; echo '---'; env", { with: { home } as ShellSettings });
    expect(text).not.toMatch(/=back|=vim|=less/);
    expect(text).toContain('\nEDITOR=false\n');
    expect(text).toContain('\nPAGER=cat\n');
    expect(text).not.toContain('POSIXLY_CORRECT');
  });

  test('a profile that goes elsewhere does not take the command along; its traps stay quiet', async () => {
    const home = { '.bash_profile': "cd /; trap 'echo trapped' DEBUG; cd() { :; }; set -- a b\n" };
    const root = join(tempFolder(), "it's\n\\odd");
    mkdirSync(root);
    for (const profile of [home['.bash_profile'], `${home['.bash_profile']}declare -rx EDITOR=vim\n`]) {
      const { text } = await shiro('pwd; echo $#', {
        root,
        with: { home: { '.bash_profile': profile } } as ShellSettings,
      });
      expect(text.replaceAll('trapped\n', '')).toBe(`exit code: 0\nstdout:\n${root}\n0`);
      expect(text.split('trapped').length).toBeLessThan(8);
    }
  });

  test('a profile that traces shows nothing of what comes before the command', async () => {
    const { text } = await shiro('echo hi', { with: { home: { '.bash_profile': 'set -x\n' } } as ShellSettings });
    expect(text).toMatch(/^exit code: 0\nstdout:\nhi\nstderr:\n(?:\+ POSIXLY_CORRECT=1\n)?\+ set \+xv$/);
  });

  test('the command is all that bash counts lines of, with a profile or past it', async () => {
    for (const profile of ['', 'shopt -s expand_aliases; alias nosuch=ls\n', 'declare -rx EDITOR=vim\n']) {
      const home = { '.bash_profile': profile };
      const { text } = await shiro('nosuch\necho $LINENO $# "$BASH_EXECUTION_STRING"\ntrue; nosuch', {
        with: { home } as ShellSettings,
      });
      expect(text.replaceAll(/(\S*)bash: /g, '')).toBe(
        [
          'exit code: 127',
          'stdout:',
          '2 0 nosuch',
          'echo $LINENO $# "$BASH_EXECUTION_STRING"',
          'true; nosuch',
          'stderr:',
          'line 1: nosuch: command not found',
          'line 3: nosuch: command not found',
        ].join('\n'),
      );
    }
    expect((await shiro('echo (')).text).toMatch(/line 1: syntax error near .*\n.*line 1: `echo \('$/);
  });

  test('a .env of the project is not loaded', async () => {
    const { text } = await shiro('echo "[$FROM_DOTENV]"', { root: tempFolder({ '.env': 'FROM_DOTENV=1\n' }) });
    expect(text).toBe('exit code: 0\nstdout:\n[]');
  });
});

describe('rousseau', () => {
  test('combined output, in the order it was written', async () => {
    expect(await rousseau('echo 1; echo 2 >&2; echo 3')).toMatchObject({ text: '1\n2\n3\n' });
  });

  test('runs under /bin/sh, not bash', async () => {
    expect((await rousseau('echo "[$BASH_VERSION]$0"')).text).toBe('[]/bin/sh\n');
  });

  test('a non-zero exit is an error that wraps the status and carries the output', async () => {
    expect(await rousseau('echo partial; exit 3')).toMatchObject({
      code: 'failed',
      text: 'bash: exit status 3\npartial\n',
    });
  });

  test('a time-out says so and carries the output', async () => {
    expect(await rousseau('echo partial; sleep 30', { timeoutMs: 500 })).toMatchObject({
      code: 'timeout',
      text: 'bash: timed out after 500ms\npartial\n',
    });
  });

  test('the default limit reads as in the document', () => {
    expect(rousseauBash().description).toContain('killed after 1m0s');
    expect([60_000, 500, 1500, 90_000, 3_600_000].map(goDuration)).toEqual([
      '1m0s',
      '500ms',
      '1.5s',
      '1m30s',
      '1h0m0s',
    ]);
  });
});
