/** The words a program takes for its sub-commands. */
export interface Vocabulary {
  /** What each other word stands for. Both may be two words. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Set for a program that takes the beginning of a sub-command for it: all its sub-commands. */
  readonly shortened?: readonly string[];
  /** Set for a program that runs a script of the project by its name alone: the words that are none. */
  readonly own?: ReadonlySet<string>;
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** `same('install', 'i add')`: the first word's others. */
function same(command: string, others: string): Record<string, string> {
  return Object.fromEntries(words(others).map((other) => [other, command]));
}

/** `within('container', 'rm run')`: `docker rm` is `docker container rm`. */
function within(group: string, commands: string): Record<string, string> {
  return Object.fromEntries(words(commands).map((command) => [command, `${group} ${command}`]));
}

const npm: Vocabulary = {
  aliases: {
    ...same('install', 'i in ins inst insta instal isnt isnta isntal isntall add'),
    ...same('uninstall', 'un unlink remove rm r'),
    ...same('install-test', 'it'),
    ...same('install-ci-test', 'cit sit clean-install-test'),
    ...same('ci', 'ic clean-install install-clean isntall-clean'),
    ...same('update', 'u up upgrade udpate'),
    ...same('run', 'run-script rum urn'),
    ...same('test', 't tst'),
    ...same('view', 'v info show'),
    ...same('search', 's se find'),
    ...same('init', 'create innit'),
    ...same('bugs', 'issues'),
    ...same('docs', 'home'),
    ...same('owner', 'author'),
    ...same('org', 'ogr'),
    ...same('adduser', 'add-user'),
    ...same('dist-tag', 'dist-tags'),
    ...same('version', 'verison'),
    rb: 'rebuild',
    list: 'ls',
    la: 'll',
    ln: 'link',
    c: 'config',
    ddp: 'dedupe',
    x: 'exec',
    why: 'explain',
    hlep: 'help',
    'run test': 'test',
    'run start': 'start',
    'run stop': 'stop',
    'run restart': 'restart',
  },
  shortened: words(
    'access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs doctor ' +
      'edit exec explain explore find-dupes fund get help help-search hook init install install-ci-test install-scripts install-test ' +
      'link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run sbom ' +
      'search set shrinkwrap stage star stars start stop team test token trust undeprecate uninstall unpublish unstar update version ' +
      'view whoami',
  ),
};

const pnpm: Vocabulary = {
  aliases: {
    ...same('install', 'i'),
    ...same('remove', 'rm uninstall un uni'),
    ...same('update', 'up upgrade'),
    ...same('list', 'ls la ll'),
    ...same('test', 't tst'),
    ...same('run', 'run-script'),
    ...same('install-test', 'it'),
    ...same('config', 'c'),
    ...same('rebuild', 'rb'),
    ...same('link', 'ln'),
    ...same('unlink', 'dislink'),
    'run test': 'test',
    'run start': 'start',
  },
  own: new Set(
    words(
      'add approve-builds audit bin cache cat-file cat-index config create dedupe deploy dlx doctor env exec fetch find-hash help ' +
        'ignored-builds import init install install-test licenses link list outdated pack patch patch-commit patch-remove prune ' +
        'publish rebuild recursive remove restart root run self-update server setup start store test unlink update why access adduser ' +
        'bugs deprecate dist-tag docs edit info login logout owner ping pkg prefix profile repo search set set-script star stars team ' +
        'token unpublish unstar v version view whoami',
    ),
  ),
};

const yarn: Vocabulary = {
  aliases: { 'upgrade-interactive': 'upgradeInteractive', 'npm publish': 'publish', 'run test': 'test' },
  own: new Set(
    words(
      'access add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry global help ' +
        'import info init install licenses link list login logout node npm outdated owner pack patch patch-commit plugin policies ' +
        'publish rebuild remove run search self-update set stage tag team test unlink unplug up upgrade upgradeInteractive version ' +
        'versions why workspace workspaces',
    ),
  ),
};

const bun: Vocabulary = {
  aliases: { ...same('install', 'i'), a: 'add', rm: 'remove', c: 'create' },
  own: new Set(
    words(
      'add audit build create exec help init info install link outdated patch pm publish remove repl run test unlink update upgrade why x',
    ),
  ),
};

const containers: Vocabulary = {
  aliases: {
    ...within(
      'container',
      'attach commit cp create diff exec export kill logs pause port rename restart rm run start stats stop top unpause update wait',
    ),
    ...within('image', 'build history import load pull push save tag'),
    ...same('container ls', 'ps'),
    ...same('image ls', 'images'),
    ...same('image rm', 'rmi'),
    'buildx build': 'image build',
    'builder build': 'image build',
    'container ps': 'container ls',
    'container list': 'container ls',
    'container remove': 'container rm',
    'image list': 'image ls',
    'image remove': 'image rm',
    'volume remove': 'volume rm',
    'network remove': 'network rm',
  },
};

const resources: Readonly<Record<string, string>> = {
  pods: 'po pod',
  services: 'svc service',
  deployments: 'deploy deployment',
  namespaces: 'ns namespace',
  nodes: 'no node',
  secrets: 'secret',
  configmaps: 'cm configmap',
  persistentvolumes: 'pv persistentvolume',
  persistentvolumeclaims: 'pvc persistentvolumeclaim',
  serviceaccounts: 'sa serviceaccount',
  replicasets: 'rs replicaset',
  daemonsets: 'ds daemonset',
  statefulsets: 'sts statefulset',
  cronjobs: 'cj cronjob',
  jobs: 'job',
  ingresses: 'ing ingress',
};

const kubectl: Vocabulary = {
  aliases: Object.fromEntries(
    words('get describe delete edit patch scale').flatMap((verb) =>
      Object.entries(resources).flatMap(([all, others]) =>
        words(others).map((other) => [`${verb} ${other}`, `${verb} ${all}`]),
      ),
    ),
  ),
};

const hub: Vocabulary = {
  aliases: {
    ...Object.fromEntries(words('pr issue repo release gist').map((group) => [`${group} new`, `${group} create`])),
    ...Object.fromEntries(words('pr issue repo release gist').map((group) => [`${group} ls`, `${group} list`])),
    ...same('extension', 'ext extensions'),
    cs: 'codespace',
    rs: 'ruleset',
    'secret remove': 'secret delete',
    'variable remove': 'variable delete',
  },
};

const composer: Vocabulary = {
  aliases: {
    ...same('update', 'u upgrade'),
    ...same('clear-cache', 'clearcache cc'),
    i: 'install',
    r: 'require',
    rm: 'remove',
    run: 'run-script',
    info: 'show',
    home: 'browse',
    dumpautoload: 'dump-autoload',
    selfupdate: 'self-update',
    why: 'depends',
    'why-not': 'prohibits',
  },
  shortened: words(
    'archive audit browse bump check-platform-reqs clear-cache config create-project depends diagnose dump-autoload exec fund global ' +
      'help init install licenses list outdated prohibits reinstall remove repository require run-script search self-update show ' +
      'status suggests update validate',
  ),
};

const gem: Vocabulary = {
  aliases: { i: 'install' },
  shortened: words(
    'build cert check cleanup contents dependency environment exec fetch generate_index help info install list lock mirror open ' +
      'outdated owner pristine push rdoc rebuild search server signin signout sources specification stale uninstall unpack update ' +
      'which yank',
  ),
};

const bundle: Vocabulary = {
  aliases: { i: 'install', e: 'exec', ls: 'list', c: 'check', a: 'add' },
  shortened: words(
    'add binstubs cache check clean config console doctor env exec fund gem help info init inject install issue licenses list lock ' +
      'open outdated package platform plugin pristine remove show update version viz',
  ),
};

const mercurial: Vocabulary = {
  aliases: {
    ...same('update', 'up checkout co'),
    ...same('annotate', 'blame'),
    ci: 'commit',
    rm: 'remove',
    mv: 'rename',
    cp: 'copy',
    in: 'incoming',
    out: 'outgoing',
    st: 'status',
    di: 'diff',
    id: 'identify',
  },
  shortened: words(
    'add addremove annotate archive backout bisect bookmarks branch branches bundle cat clone commit config copy diff export files ' +
      'forget graft grep heads help histedit identify import incoming init locate log manifest merge outgoing parents paths phase ' +
      'pull purge push rebase recover remove rename resolve revert root serve shelve status strip summary tag tags tip unbundle ' +
      'unshelve update verify version',
  ),
};

/** By program. What is not here takes each sub-command by one word alone. */
export const vocabularies: Readonly<Record<string, Vocabulary>> = {
  npm,
  pnpm,
  yarn,
  bun,
  docker: containers,
  podman: containers,
  nerdctl: containers,
  kubectl,
  oc: kubectl,
  gh: hub,
  composer,
  gem,
  bundle,
  hg: mercurial,
  helm: { aliases: { ...same('uninstall', 'delete del un'), ls: 'list', ...same('dependency', 'dep dependencies') } },
  cargo: { aliases: { b: 'build', c: 'check', d: 'doc', t: 'test', r: 'run', rm: 'remove' } },
  git: { aliases: { stage: 'add', annotate: 'blame', 'init-db': 'init' } },
  brew: { aliases: { ...same('uninstall', 'rm remove'), ls: 'list', ln: 'link' } },
  rails: {
    aliases: { g: 'generate', d: 'destroy', c: 'console', s: 'server', db: 'dbconsole', r: 'runner', t: 'test' },
  },
  svn: {
    aliases: {
      ...same('delete', 'del remove rm'),
      ...same('move', 'mv rename ren'),
      ...same('annotate', 'blame praise ann'),
      ci: 'commit',
      co: 'checkout',
      cp: 'copy',
      up: 'update',
      sw: 'switch',
      st: 'status',
      stat: 'status',
    },
  },
};
