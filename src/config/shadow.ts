import { openLog } from '../base/log.ts';
import { createPolicy, type GatePolicy, type PolicyOptions } from '../gate/policy.ts';
import { withShadow } from '../gate/shadow.ts';
import { readConfigFile } from './load.ts';
import { rowsOfFile } from './rows.ts';

export interface ShadowOptions {
  /** A configuration file whose rules, plugins and approver are tried beside those in force. */
  readonly file: string;
  /** Where the differences go, one a line. */
  readonly log: string;
  readonly session: string;
}

/** A second policy that decides nothing: every call on which it would have decided otherwise is logged. */
export interface Shadow {
  createPolicy(options: PolicyOptions): GatePolicy;
  close(): void;
}

/** Reads the shadow's file; one that can't be used throws `invalid`. */
export function openShadow({ file, log, session }: ShadowOptions): Shadow {
  const document = readConfigFile(file);
  const { plugins, approver } = document.value;
  const rows = rowsOfFile(document, false);
  const differences = openLog(log);
  return {
    createPolicy: (options) => {
      const { plugins: _, approver: own, ...same } = options;
      const theirs = {
        ...(plugins === undefined ? {} : { plugins }),
        ...(own === undefined || approver === undefined ? {} : { approver }),
      };
      const policy = createPolicy(options);
      const shadow = createPolicy({ ...same, ...theirs, rows, grants: policy.grants });
      return withShadow(policy, shadow, (difference) =>
        differences.append({ at: new Date().toISOString(), session, ...difference }),
      );
    },
    close: () => differences.close(),
  };
}
