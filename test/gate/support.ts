import { createPolicy, type GatePolicy, type PolicyOptions } from '../../src/gate/policy.ts';
import type { Row } from '../../src/gate/rule.ts';
import type { Decision, JudgedCall } from '../../src/gate/verdict.ts';
import type { Effect } from '../../src/tool/tool.ts';
import { openRoot, resolvePath } from '../../src/workspace/path.ts';
import { tempFolder } from '../support/folders.ts';

export type Permission = Record<string, Decision | Record<string, Decision>>;

/** Rows of a permission table as written in a config file. */
export function rows(permission: Permission): Row[] {
  return Object.entries(permission).flatMap(([tool, table]) =>
    Object.entries(typeof table === 'string' ? { '*': table } : table).map(([pattern, decision]) => ({
      tool,
      pattern,
      decision,
    })),
  );
}

export interface Bench {
  readonly root: string;
  readonly policy: GatePolicy;
  /** A call of the shell tool. */
  sh(command: string, shell?: 'bash' | 'sh' | 'cmd'): JudgedCall;
  /** A call of a tool that touches files. */
  file(tool: string, kind: 'read' | 'write' | 'delete', ...paths: string[]): JudgedCall;
  decide(command: string, shell?: 'bash' | 'sh' | 'cmd'): Decision;
}

export function bench(
  permission: Permission = {},
  files: Record<string, string> = {},
  options: Partial<PolicyOptions> = {},
): Bench {
  const root = options.root ?? tempFolder(files);
  const policy = createPolicy({ rows: rows(permission), ...options, root });
  const sh: Bench['sh'] = (command, shell = 'bash') => shellCall(root, command, shell);
  return {
    root,
    policy,
    sh,
    file: (tool, kind, ...paths) => fileCall(root, tool, kind, paths),
    decide: (command, shell) => policy.judge(sh(command, shell)).decision,
  };
}

function shellCall(root: string, command: string, shell: 'bash' | 'sh' | 'cmd'): JudgedCall {
  const cwd = resolvePath(openRoot(root), '.', 'relative');
  const effects: Effect[] = [{ kind: 'execute', shell, command, cwd }];
  return { tool: 'bash', readOnly: false, subject: command, effects, arguments: { command } };
}

function fileCall(root: string, tool: string, kind: 'read' | 'write' | 'delete', paths: string[]): JudgedCall {
  const effects = paths.map((path) => ({ kind, path: resolvePath(openRoot(root), path, 'relative') }));
  return { tool, readOnly: kind === 'read', subject: paths[0]!, effects, arguments: { path: paths[0] } };
}
