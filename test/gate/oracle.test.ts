import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readShellLine } from '../../src/gate/shell/command.ts';
import { openRoot } from '../../src/workspace/path.ts';
import { runs } from '../support/runs.ts';

/**
 * Real bash runs random lines with a PATH that holds only recorders. Whatever ran must have been seen, or the line must
 * be in doubt, which makes it asked at least.
 */
const home = realpathSync(mkdtempSync(join(tmpdir(), 'benchdog-oracle-')));
const bin = join(home, 'bin');
const work = join(home, 'work');
/** A file of its own for each line: what an earlier one left running does not count. */
let lines = 0;
afterAll(() => rmSync(home, { recursive: true, force: true }));

const programs = ['p1', 'p2', 'p3', 'env', 'timeout', 'nice', 'nohup', 'xargs', 'sudo', 'git'];
mkdirSync(bin);
mkdirSync(work);
for (const name of programs) {
  writeFileSync(join(bin, name), `#!/bin/bash\nprintf '%s\\n' "\${0##*/}" >> "$SEEN"\n`);
  chmodSync(join(bin, name), 0o755);
}

const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path));

function ranUnder(line: string): string[] {
  lines += 1;
  const seen = join(home, `seen-${lines}`);
  spawnSync(bash!, ['--norc', '--noprofile', '-c', line], {
    cwd: work,
    env: { PATH: bin, HOME: work, SEEN: seen },
    input: '',
    timeout: 700,
    killSignal: 'SIGKILL',
  });
  const ran = existsSync(seen) ? [...new Set(readFileSync(seen, 'utf8').split('\n').filter(Boolean))] : [];
  rmSync(seen, { force: true });
  return ran;
}

function understood(line: string): { names: Set<string>; doubtful: boolean } {
  const { commands, deeds } = readShellLine(line, 'bash', work, {
    root: openRoot(work),
    readable: () => true,
    home: work,
  });
  return {
    names: new Set(commands.map(({ name }) => name ?? '')),
    doubtful: deeds.some(({ doubt }) => doubt !== undefined),
  };
}

const name = fc.constantFrom(...programs.slice(0, 3), 'git');
const argument = fc.constantFrom('a', "'b c'", '"c"', '$X', '-n', '--', '{', '}', '#', '=', '5').map((text) => text);
const piece = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 3, arbitrary: argument },
  fc.constantFrom(
    ' ',
    ' ',
    ' ',
    ' ',
    ';',
    '\n',
    '|',
    '&',
    '&&',
    '||',
    '(',
    ')',
    '{ ',
    '; }',
    '$(',
    ')',
    '`',
    '"',
    "'",
    '<(',
    '>(',
    '<<E\n',
    '\nE\n',
    '<<-E\n',
    '<<<',
    '((',
    '))',
    '[[ ',
    ' ]]',
    'if ',
    '; then ',
    '; else ',
    '; fi',
    'while ',
    '; do ',
    '; done',
    'for i in ',
    'case a in a) ',
    ';; esac',
    'f() { ',
    '; f',
    'function g ',
    '! ',
    'time ',
    'coproc ',
    'eval ',
    'command ',
    'builtin ',
    'exec ',
    'env ',
    'timeout 5 ',
    'nice ',
    'nohup ',
    'xargs ',
    'sudo ',
    "bash -c '",
    'trap ',
    '${X:-',
    '}',
    '${X:=',
    '$((',
    '))',
    'A=',
    'A=(',
    ')',
    '\\',
    '\\\n',
    '#',
    '$',
    "$'",
    '~',
    '*',
    '!',
    '2>&1',
    '>x',
    '|&',
    '@(',
    'alias p3=p1\n',
    'X=p2 ',
    '$X ',
    'set -- p1; ',
    '$1 ',
    '"$@" ',
    'cd . ',
  ),
);

test.runIf(bash !== undefined)(
  'whatever real bash runs was seen by the parser, or the line is asked',
  { timeout: 120_000 },
  () => {
    let executed = 0;
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join('')),
        (line) => {
          fc.pre(!line.includes('\0'));
          const { names, doubtful } = understood(line);
          if (doubtful) return;
          const ran = ranUnder(line);
          executed += ran.length;
          for (const program of ran) expect([...names], line).toContain(program);
        },
      ),
      runs(150),
    );
    expect(executed).toBeGreaterThan(5);
  },
);
