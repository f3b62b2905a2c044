import { findHome, ownFiles } from './config/home.ts';
import type { Dialect } from './dialects.ts';
import { openGrantStore } from './gate/grant-store.ts';
import { createGrants } from './gate/grants.ts';
import { createPolicy, type GatePolicy } from './gate/policy.ts';
import type { Row } from './gate/rule.ts';
import { given, type OpenGateOptions } from './open-gate-options.ts';
import { openRoot } from './workspace/path.ts';
import { grantsFile } from './workspace-logs.ts';

/** Where the policy holds, and by which rows. */
interface PolicyPlace {
  readonly root: string;
  /** The folder of stored grants. */
  readonly home: string;
  readonly dialect: Dialect;
  readonly rows: readonly Row[];
}

/** The policy of a gate: its rules, what was granted in this workspace for good, and what is out of reach of every call. */
export function openPolicy(options: OpenGateOptions, { root, home, dialect, rows }: PolicyPlace): GatePolicy {
  const { env = process.env } = options;
  return (options.createPolicy ?? createPolicy)({
    root,
    rows,
    grants: createGrants({ store: openGrantStore(grantsFile(home, openRoot(root))) }),
    own: ownFiles({ config: findHome(env).config, state: home }),
    ...given('settings', options.settings),
    ...given('approve', options.approve),
    readOnly: options.readOnly ?? false,
    alwaysStyle: dialect.name === 'shiro' ? 'command' : 'sub-command',
    ...given('plugins', options.plugins),
    ...(dialect.name === 'rousseau' ? given('approver', options.rousseau) : {}),
  });
}
