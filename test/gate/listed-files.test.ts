// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isSetOnce } from '../../src/gate/shell/loop-value.ts';
import { repository } from '../support/repository.ts';
import { bench } from './support.ts';

const files = { 'a.ts': '', 'b.ts': '', 'src/c.ts': '', 'src/d e.txt': '', '.env': 'A=hunter2hunter2' };

describe('readers of files that can be looked at beforehand are allowed like the same with names written out', () => {
  test.each([
    'for f in *.ts; do wc -l $f; done',
    'for f in a.ts src/*.ts; do echo "== $f"; head -5 "${f}"; done',
    'for d in . src; do ls $d; cat $d/a.ts; done',
    'for n in a b; do cat $n.ts; done',
    'for f in $(find src -name "*.ts"); do sed -n 1,3p "$f"; done',
    'find . -name "*.ts" -exec wc -l {} \\;',
    'find . -name "*.ts" -type f -exec grep -l foo {} +',
    'find . -name "*.ts" | xargs grep foo',
    'find . -name "*.ts" | grep -v test | sort -u | head -20 | xargs wc -l',
    'find . -name "*.ts" -print0 | xargs -0 head -3',
    'cat $(find . -name "*.ts" | head -3)',
    'wc -l "$(find . -name "*.ts")"',
  ])('%s', (command) => expect(bench({ bash: 'allow' }, files).decide(command)).toBe('allow'));

  test.each([
    'for f in a.ts .env; do cat $f; done',
    'for f in .e*; do cat $f; done',
    'cat $(find . -name ".e*")',
    'for f in a.ts; do f=.env; cat $f; done',
    'for n in a .; do cat ${n}env; done',
  ])('a denied file is denied: %s', (command) => expect(bench({ bash: 'allow' }, files).decide(command)).toBe('deny'));

  test.each([
    // Somewhere else the variable is set, or may be.
    'for f in a.ts; do read f; cat $f; done < list',
    'for f in a.ts; do cat $f; done; f=b.ts; cat $f',
    'for f in a.ts; do printf -v f %s b.ts; cat $f; done',
    'for f in a.ts; do eval "$x"; cat $f; done',
    'for f in a.ts; do . ./set; cat $f; done',
    'for f in a.ts; do ((f=3)); cat $f; done',
    'for f in a.ts; do : ${f:=b.ts}; cat $f; done',
    'for f in a.ts; do cat ${f%.ts}; done',
    'cat $f; for f in a.ts; do :; done',
    'for f in $f; do cat $f; done',
    'for f in *; do for f in b.ts; do :; done; cat $f; done',
    'for f in "a.ts b.ts"; do cat $f; done',
    'for f in src/*.txt; do cat $f; done',
    // A denied file is, or may be, among them.
    'find . -type f -exec cat {} +',
    'find . -name "*.ts" -o -name .env | xargs cat',
    'find . ! -name "*.ts" | xargs cat',
    'find . | xargs cat',
    'find . | xargs grep',
    // Names that are cut at blanks; more than the listing; other folders; other inputs.
    'find src -name "d*" | xargs cat',
    'find . -name "*.ts" -printf "%h/.env\\n" | xargs cat',
    'find .. -name "*.ts" | xargs cat',
    '(find . -name "*.ts"; echo .env) | xargs cat',
    'find . -name "*.ts" | sed "s/a.ts/.env/" | xargs cat',
    'find . -name "*.ts" | sort - list | xargs cat',
    'find . -name "*.ts" | grep -o e | xargs cat',
    'find . -name "*.ts" | xargs cat < list',
    'find . -name "*.ts" | { xargs cat; } < list',
    'find . -name "*.ts" | xargs -a list cat',
    'find . -name "*.ts" | xargs -I{} cat {}.env',
    'find . -name "$x" | xargs cat',
    'find "$x" -name "*.ts" | xargs cat',
    // What is not reading.
    'find . -name "*.ts" | xargs rm',
    'find . -name "*.ts" -exec sed -i s/a/b/ {} +',
    'find . -name "*.ts" -exec {} \\;',
    'for f in *.ts; do ./$f; done',
    'for f in *.ts; do sh $f.sh; $f; done',
  ])('asked: %s', (command) => expect(bench({ bash: 'allow' }, files).decide(command)).toBe('ask'));

  test('where no file is denied, everything below may be read', () => {
    const { decide } = bench({ bash: 'allow' }, { 'a.ts': '', 'src/c.ts': '' });
    const lines = [
      'find . -type f -exec cat {} +',
      'find . | xargs cat',
      'rg -l x | xargs cat',
      'grep -rl x . | xargs cat',
    ];
    expect(lines.map((line) => decide(line))).toEqual(['allow', 'allow', 'allow', 'allow']);
  });

  test('says what it would read', () => {
    const { policy, sh } = bench({ bash: 'allow' }, files);
    expect(policy.judge(sh('find . -type f | xargs cat')).reason).toBe('it would read .env, whose reading is denied');
    expect(policy.judge(sh('find src -type f | xargs cat')).reason).toBe(
      'a name as "d e.txt" is taken for several, or for an option',
    );
  });
});

describe('what git tracks is known from git', () => {
  const lines = ['wc -l $(git ls-files)', 'git ls-files | xargs wc -l', 'git diff --name-only | xargs cat'];

  test('a denied file that is only ignored is not among it', async () => {
    const root = repository({ 'a.ts': '', '.gitignore': '.env\n' });
    writeFileSync(join(root, '.env'), 'A=hunter2hunter2');
    const { policy, sh } = bench({ bash: 'allow' }, {}, { root });
    for (const line of lines) {
      await policy.prepare(sh(line));
      expect(policy.judge(sh(line)).decision).toBe('allow');
    }
    expect(policy.judge(sh('git ls-files -o | xargs cat')).decision).toBe('ask');
  });

  test('one that is tracked is', async () => {
    const root = repository({ 'a.ts': '', '.env': 'A=hunter2hunter2' });
    const { policy, sh } = bench({ bash: 'allow' }, {}, { root });
    for (const line of lines) {
      await policy.prepare(sh(line));
      expect(policy.judge(sh(line)).decision).toBe('ask');
    }
  });
});

test.each([
  ['for f in a; do cat $f "${f}" -f x.f; done', true],
  ['for f in a; do cat $f; done; f=1', false],
  ['for f in a; do read "f"; done', false],
  ['for f in a; do re\\ad $x; done', false],
  ['for f in a; do echo ${f:-b}; done', false],
  ['for f in a; do {f}> x; done', false],
])('the loop alone sets the variable: %s', (text, once) => expect(isSetOnce(text, 'f')).toBe(once));

describe('a denied file in a folder of others’ packages, or in git’s own, is denied like any other', () => {
  const packages = { ...files, 'node_modules/p/.env': 'A=1', 'node_modules/p/i.js': '', '.git/config': '' };
  test.each([
    ['find . -name ".e*" -path "*/p/*" -exec cat {} +', 'ask'],
    ['find . -name .env -exec cat {} +', 'ask'],
    ['find . -name .env | xargs cat', 'ask'],
    ['grep -r A .', 'ask'],
    ['find . -name "*.js" | xargs cat', 'allow'],
    // It leaves out names that begin with a dot and what is ignored.
    ['rg A', 'allow'],
  ] as const)('%s: %s', (command, decision) => {
    const { '.env': _, ...others } = packages;
    expect(bench({ bash: 'allow' }, others).decide(command)).toBe(decision);
  });

  test('what a row denies below .git, too', () => {
    const { decide } = bench({ bash: 'allow', read_file: { '*': 'allow', '.git/config': 'deny' } }, packages);
    expect(decide('find . -name config -exec cat {} +')).toBe('ask');
  });
});
