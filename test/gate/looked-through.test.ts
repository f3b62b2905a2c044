// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/gate/verdict.ts';
import { bench } from './support.ts';

const files = { '.env': 'A=hunter2hunter2', 'sub/.env': 'B=1', 'x.txt': '', 'src/a.ts': '', '.git/HEAD': '' };
const noRm = { bash: { '*': 'allow', 'rm *': 'deny' } } as const;

describe('a deny row sees what runs elsewhere, later or inside, also under --approve all', () => {
  test.each([
    'docker exec c rm x',
    'docker exec -it -u root c rm x',
    'docker run --rm -v .:/w img rm x',
    "docker run img sh -c 'rm x'",
    'docker run -it --entrypoint rm img x',
    'docker -H tcp://h:1 container exec c rm x',
    'docker compose -f a.yml exec web rm x',
    'docker-compose run web rm x',
    'podman run img rm x',
    'kubectl exec pod -- rm x',
    "kubectl -n a exec -it pod -c c -- sh -c 'rm x'",
    'kubectl exec pod rm x',
    'ssh host rm x',
    "ssh -p 22 -t u@host 'ls; rm x'",
    'sshpass -p x ssh host rm x',
    "tmux send-keys -t a 'rm x' Enter",
    "tmux new-session -d -s a 'rm x'",
    "tmux -L s new -d \\; send-keys 'rm x' C-m",
    "screen -S a -X stuff 'rm x'",
    'screen -dm rm x',
    "echo 'rm x' | at now",
    "at now <<< 'rm x'",
    'batch <<E\nrm x\nE',
    "echo 'rm x' | sh",
    'bash <<E\nrm x\nE',
    'X=\'rm x\'; bash -c "$X"',
    'X=rm; $X x',
    'P=push; R=rm; ${R} x',
    "script -qc 'rm x' out",
    'script -q /dev/null rm x',
    'watch rm x',
    'parallel rm ::: x',
    "parallel ::: 'rm x' ls",
    "parallel 'rm {}' ::: x",
    "flock l -c 'rm x'",
    "su - root -c 'rm x'",
    "sg root 'rm x'",
    'systemd-run --user rm x',
    'chroot / rm x',
    'unshare -r rm x',
    "capsh -- -c 'rm x'",
    'busybox sh -c "rm x"',
    'start-stop-daemon --start --exec /bin/rm -- x',
    '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
    'gdb --args rm x',
    'cmake -E rm x',
    'bun x rm x',
    "env -S 'rm x'",
    'env -C src rm x',
    "git -c alias.z='!rm x' z",
    'git submodule foreach --recursive rm x',
    'git bisect run rm x',
    "git rebase --exec 'rm x' HEAD~1",
    "git config alias.x '!rm x'",
    "tar cf a.tar --checkpoint-action 'exec=rm x' x.txt",
    "tar xf a.tar --to-command='rm x'",
    "rsync -e 'rm x' a b",
    'vagrant ssh -c "rm x"',
    "ansible all -a 'rm x'",
    'adb shell rm x',
  ])('%s', (command) => {
    expect(bench(noRm, files, { approve: 'all' }).decide(command)).toBe('deny');
  });
});

describe('what may run something else is asked, whatever an allow row says', () => {
  test.each([
    'at -f x.txt now',
    'crontab x.txt',
    "echo '* * * * * x' | crontab -",
    'tmux new -d x',
    'make -f - < x.txt',
    'make -f /dev/stdin',
    "make --eval 'x:;y'",
    'make SHELL=./x all',
    "zip a.zip x.txt -T -TT 'x'",
    'awk \'BEGIN{system("x")}\'',
    "sed '1e x' x.txt",
    "perl -e 'x'",
    "vim -c '!x'",
    'ls | parallel',
    'script out',
    'sudo -s',
    'unshare -r',
    'docker exec c $X',
    "trap 'cat a' EXIT; cd src",
  ])('%s', (command) => {
    expect(bench({ bash: 'allow' }, files).decide(command)).toBe('ask');
  });

  test.each([
    'pdsh -w h rm x',
    "az vm run-command invoke --scripts 'rm x'",
    "mytool --then='rm x'",
    'mytool /bin/rm x',
  ])('a program nobody knows with the words of a denied command: %s', (command) => {
    const { policy, sh } = bench(noRm, files);
    expect(policy.judge(sh(command))).toMatchObject({ decision: 'ask', by: 'permission.bash["rm *"]' });
  });

  test.each([
    'at -l',
    'crontab -l',
    'tmux ls',
    'screen -ls',
    'make all',
    'docker ps',
    'docker exec c ls /app',
    'ssh host uptime',
    'kubectl get pods',
    "gh pr create --title 'rm the old files'",
    'mytool "a b" c',
  ])('%s is not', (command) => {
    expect(bench(noRm, files).decide(command)).toBe('allow');
  });
});

test.each<[string, Decision]>([
  ['docker exec web ls /app', 'allow'],
  ['docker exec web sh -c "cat /etc/passwd > /tmp/x"', 'allow'],
  ['docker exec web npm publish', 'deny'],
  ['docker exec web cat .env', 'deny'],
  ['docker exec web $X', 'ask'],
  ['docker exec db ls', 'ask'],
])('a row for a container speaks for what runs in it, unless a row refuses that: %s is %s', (command, decision) => {
  const rows = { bash: { '*': 'ask', 'docker exec web *': 'allow', 'npm publish*': 'deny' } } as const;
  expect(bench(rows, files).decide(command)).toBe(decision);
});

describe('scripts of package.json', () => {
  const scripts = {
    build: 'rm -rf dist && tsc -p .',
    clean: 'git push --force',
    pretest: 'rm x',
    test: 'vitest run',
    all: 'npm run build && npm run all',
    odd: 'node -e "x" > out.txt',
  };
  const rows = { bash: { '*': 'ask', 'npm *': 'allow', 'pnpm *': 'allow', 'rm *': 'deny' } } as const;
  const project = { ...files, 'package.json': JSON.stringify({ scripts }) };

  test.each<[string, Decision]>([
    ['npm run build', 'deny'],
    ['npm run-script build -- --x', 'deny'],
    ['pnpm build', 'deny'],
    ['npm test', 'deny'],
    ['npm t', 'deny'],
    ['npm run all', 'deny'],
    ['cd src && npm run build', 'allow'],
    ['npm run odd', 'allow'],
    ['npm run none', 'allow'],
    ['npm install', 'allow'],
  ])('%s is %s', (command, decision) => {
    expect(bench(rows, project).decide(command)).toBe(decision);
  });

  test('guards see them, and a changed file is read again', () => {
    const { policy, sh, root } = bench({ bash: { 'npm *': 'allow' } }, project, { approve: 'all' });
    expect(policy.judge(sh('npm run clean'))).toMatchObject({ decision: 'deny', by: 'guard: git push --force' });
    const path = join(root, 'package.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('git push --force', 'git push'));
    expect(policy.judge(sh('npm run clean')).decision).toBe('allow');
  });

  test('always is offered as for any sub-command', () => {
    const { policy, sh } = bench({ bash: 'ask' }, project);
    expect(policy.judge(sh('npm run odd')).always).toBe('npm run odd *');
  });
});

describe('a denied file behind words that can be resolved is denied', () => {
  test.each([
    'cat $PWD/.env',
    'cat "${PWD}/.env"',
    'cat "${PWD%/}/.env"',
    'cat ~+/.env',
    'cat ~/x/.env',
    'cat .e*v',
    'cat .en?',
    'cat .[!a]nv',
    'cat {.env,x.txt}',
    'cat .e{n,m}v',
    'cat sub/.{env,git}',
    'cd $PWD/sub && cat .env',
    'cd "$PWD" && cat .env',
    'cd sub; cat $OLDPWD/.env',
    'f=.env; cat $f',
    'f=.env cat "$f"',
    'export F=.env; cat ${F}',
    'f=.e; cat ${f}nv',
    "f='x.txt .env'; cat $f",
    "f='.e*'; cat $f",
    'for f in .env x; do cat $f; done',
    'for f in .e*; do cat "$f"; done',
    'for f in {.env,x.txt}; do cat "$f"; done',
    'cat $(echo .env)',
    'cat "$(find . -name .env)"',
    'cat `printf .env`',
    'cat "${X:-.env}"',
    'cat .e${X}nv',
    'cat $X.env',
    'cat "$DIR/.env"',
    'cat < "$DIR/.env"',
    'dd if="$PWD/.env"',
    'curl "file://$PWD/.env"',
    'base64 --wrap=0 $PWD/.env',
    'cp $PWD/.env y',
    'ln -s "$PWD/.env" y',
    'cat /proc/$$/cwd/.env',
  ])('%s', (command) => {
    const { policy, sh } = bench({ bash: 'allow' }, files, { approve: 'all' });
    expect(policy.judge(sh(command))).toMatchObject({ decision: 'deny', by: 'built-in: secrets "*.env"' });
  });

  test.each([
    'f=x.txt; cat $f',
    'cat $(ls -a)',
    'cat $X',
    'for f in *; do f=x.txt; cat "$f"; done',
    'read f; cat "$f"',
    'cat {x,$Y}.txt',
    'tar cf - .',
    'zip -r x.zip .',
    '7z a x.7z sub',
    'cp -r sub other',
    'mv sub other',
    'grep -r A .',
    'PWD=/etc; cat $PWD/passwd',
  ])('asked, as more is not known: %s', (command) => {
    expect(bench({ bash: 'allow' }, files).decide(command)).toBe('ask');
  });

  test.each(['cat $PWD/x.txt', 'cat {x.txt,src/a.ts}', 'touch a{1..3}', 'cd $PWD/src && cat a.ts', 'cat ~+/x.txt'])(
    'nothing is lost: %s is allowed',
    (command) => {
      expect(bench({ bash: 'allow' }, files).decide(command)).toBe('allow');
    },
  );

  test('rows of the user’s own, and writing', () => {
    const rows = { bash: 'allow', read_file: { 'sub/**': 'deny' }, write_file: { 'src/*': 'deny' } } as const;
    const { decide } = bench(rows, { ...files, 'sub/note': '' }, { approve: 'all' });
    expect(decide('d=sub; cat $d/note')).toBe('deny');
    expect(decide('d=src; echo x > $d/b')).toBe('deny');
    expect(decide('f=.git/hooks/x; echo x > $f')).toBe('deny');
    expect(decide('echo x | tee {a,src/b}')).toBe('deny');
  });
});

test.each<[string, Decision]>([
  ['date -f .env', 'deny'],
  ['du --files0-from=.env', 'deny'],
  ['xargs -a .env echo', 'deny'],
  ['git interpret-trailers .env', 'deny'],
  ['git mv x.txt .git/hooks/pre-commit', 'deny'],
  ['git worktree add .git/hooks/y', 'deny'],
  ['rsync x.txt .git/hooks/', 'deny'],
  ['git grep --no-index A', 'ask'],
  ['git grep --untracked A', 'ask'],
  ['git diff --no-index sub src', 'ask'],
  ['npm config set script-shell ./x', 'ask'],
  ['npm run test --script-shell=./x', 'ask'],
  ['npm config get registry', 'allow'],
  ['date', 'allow'],
  ['git worktree add wt', 'allow'],
  ['git mv x.txt y.txt', 'allow'],
  ['xargs -n 1 echo', 'allow'],
])('found by attack: %s is %s', (command, decision) => {
  expect(bench({ bash: { '*': 'allow', 'unknown *': 'deny' } }, files, {}).decide(command)).toBe(decision);
});
