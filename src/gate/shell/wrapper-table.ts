import type { OptionTable } from './options.ts';

/** How a command that runs another one reads its arguments. */
export interface Wrapper extends OptionTable {
  /** Operands before the command. */
  readonly operands?: number;
  /** Sub-command words that come first, as `run` in `uv run`. */
  readonly after?: readonly string[];
  readonly transparent?: boolean;
  /** More words are added when it runs. */
  readonly more?: boolean;
  /** Its words are joined to one text for a shell. */
  readonly joins?: boolean;
  /** Assignments may stand before the command. */
  readonly assigns?: boolean;
  /** Without a command it starts a shell. */
  readonly shell?: boolean;
}

const plainly: Wrapper = { transparent: true };

/** Wrappers by base name; several rows where sub-commands differ. */
const wrappers: Readonly<Record<string, readonly Wrapper[]>> = {
  sudo: [
    {
      assigns: true,
      shell: true,
      values: '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --role --type --other-user',
    },
  ],
  doas: [{ values: '-u -C' }],
  su: [{ stops: false, values: '-s -g -G -w', runs: '-c= --command=', operands: 99, shell: true }],
  runuser: [{ stops: false, values: '-u -g -G -s', runs: '-c= --command=', shell: true }],
  chroot: [{ operands: 1, shell: true, values: '--userspec --groups' }],
  unshare: [{ shell: true, values: '-S -G -R -w --setuid --setgid --root --wd --map-user --map-group --propagation' }],
  nsenter: [{ shell: true, values: '-t -S -G --target --setuid --setgid' }],
  timeout: [{ ...plainly, operands: 1, values: '-s -k --signal --kill-after' }],
  nice: [{ ...plainly, values: '-n --adjustment' }],
  ionice: [{ ...plainly, values: '-c -n -p --class --classdata' }],
  chrt: [{ ...plainly, operands: 1, values: '-T -P -D' }],
  taskset: [{ ...plainly, operands: 1 }],
  nohup: [plainly],
  setsid: [plainly],
  stdbuf: [{ ...plainly, values: '-i -o -e --input --output --error' }],
  time: [{ ...plainly, values: '-f --format', writes: '-o --output' }],
  command: [plainly],
  builtin: [plainly],
  exec: [{ ...plainly, values: '-a' }],
  caffeinate: [{ ...plainly, values: '-t -w' }],
  unbuffer: [plainly],
  busybox: [plainly],
  toybox: [plainly],
  xargs: [
    {
      ...plainly,
      more: true,
      values:
        '-I -n -P -L -d -E -s -a --max-args --max-procs --max-lines --delimiter --replace --arg-file --max-chars --process-slot-var',
    },
  ],
  flock: [{ ...plainly, operands: 1, runs: '-c= --command=', values: '-w -E --timeout' }],
  // BSD takes the command behind the file, util-linux by an option, lately behind `--`.
  script: [{ stops: false, runs: '-c= --command=', operands: 1, shell: true, values: '-o -O -I -B -T -m -E -t -F' }],
  sg: [{ stops: false, joins: true, operands: 1, runs: '-c=', shell: true }],
  newgrp: [{ operands: 1, shell: true }],
  capsh: [{ after: ['--'], runs: '-c=', shell: true }],
  sshpass: [{ values: '-p -f -P -d' }],
  'start-stop-daemon': [
    {
      stops: false,
      runs: '-x= --exec= -a= --startas=',
      recursive: '--start --stop --status',
      values: '-p -n -u -c -d',
    },
  ],
  'run-parts': [{ shell: true, operands: 99 }],
  'ld.so': [{ values: '--library-path --preload --audit --argv0' }],
  'ld-linux-x86-64.so.2': [{ values: '--library-path --preload --audit --argv0' }],
  'ld-linux-aarch64.so.1': [{ values: '--library-path --preload --audit --argv0' }],
  watch: [{ joins: true, values: '-n -d --interval' }],
  strace: [{ values: '-e -o -p -s -u -E -P' }],
  gdb: [{ after: ['--args'] }],
  lldb: [{ values: '-o -O -s -S -k -K' }],
  ltrace: [{ values: '-e -o -p -s -u' }],
  entr: [{}],
  uv: [{ after: ['run'], values: '--with --python -p --project --directory --env-file' }],
  poetry: [{ after: ['run'] }],
  pipenv: [{ after: ['run'] }],
  pdm: [{ after: ['run'] }],
  rye: [{ after: ['run'] }],
  hatch: [{ after: ['run'] }],
  bundle: [{ after: ['exec'] }],
  npx: [{ values: '-p --package', runs: '-c= --call=' }],
  bunx: [{}],
  npm: [
    { after: ['exec'], values: '-p --package', runs: '-c= --call=' },
    { after: ['x'], values: '-p --package', runs: '-c= --call=' },
  ],
  pnpm: [{ after: ['exec'], runs: '-c= --shell-mode=' }, { after: ['dlx'] }],
  bun: [{ after: ['x'] }],
  cmake: [{ after: ['-E'] }],
  yarn: [{ after: ['exec'] }, { after: ['dlx'] }],
  mise: [{ after: ['exec'] }, { after: ['x'] }],
  direnv: [{ after: ['exec'], operands: 1 }],
  firejail: [{}],
  bwrap: [{ values: '--bind --ro-bind' }],
  proxychains: [{ values: '-f' }],
  torsocks: [{}],
  fakeroot: [{ values: '-l -s -i -b' }],
  setarch: [{ operands: 1 }],
  ...each('linux32 linux64 i386 x86_64', {}),
  ...each('eatmydata dbus-run-session dbus-launch catchsegv valgrind chronic ifne prlimit pkexec uvx tini dumb-init', {
    values: '--config-file --dbus-daemon --user --from --with -p -e -g',
  }),
  ...each('gosu su-exec setuidgid faketime', { operands: 1, values: '-f' }),
  'xvfb-run': [{ values: '-n -s -e -f -p -w --server-args --server-num --error-file --auth-file' }],
  'systemd-run': [{ values: '-p -u -M -E -d -H --unit --property --setenv --uid --gid --slice --description' }],
  'systemd-inhibit': [{ values: '--what --who --why --mode' }],
  numactl: [{ values: '-N -m -C -i -p' }],
  choom: [{ values: '-n -p' }],
  rlwrap: [{ values: '-f -H -s -C -D -S -P -b -q -t' }],
  setpriv: [{ values: '--reuid --regid --groups --inh-caps --ambient-caps --bounding-set' }],
  'cross-env': [{ ...plainly, assigns: true }],
  dotenv: [{ after: ['run'] }, { values: '-e -f -v -c -p' }],
  perf: [
    { after: ['stat'], values: '-e -o -r -x' },
    { after: ['record'], values: '-e -o -F -g -c' },
  ],
  rr: [{ after: ['record'] }],
  hyperfine: [{ joins: true, values: '-w -r -m -M -n -p -s -c -N --warmup --runs --export-json --prepare --setup' }],
  nodemon: [{ stops: false, runs: '-x= --exec=', operands: 99 }, { values: '-w -e -i --watch --ext --ignore' }],
  watchexec: [{ values: '-w -e -f -i -s -d -o --watch --exts --filter --ignore' }],
  conda: [{ after: ['run'], values: '-n -p --name --prefix --cwd' }],
  'nix-shell': [{ stops: false, runs: '--run= --command=', operands: 99 }],
};

/** A wrapper's options end where the command begins. */
export const stopping: ReadonlyMap<string, readonly Wrapper[]> = new Map(
  Object.entries(wrappers).map(([name, rows]) => [name, rows.map((row) => ({ stops: true, ...row }))]),
);

function each(names: string, wrapper: Wrapper): Record<string, readonly Wrapper[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, [wrapper]]));
}
