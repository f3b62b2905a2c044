import { isSecretName } from './environment.ts';

/** KEY=VALUE, as env files and shell scripts write it. */
const assignment = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=\s*(.*)$/;
const maxLines = 10_000;

/**
 * The values in a file of KEY=VALUE lines, for `masker` (which ignores the short ones): without quotes and trailing comment; of
 * a quoted value over several lines, each line; of an address with a password in it, the password too.
 */
export function secretValues(text: string): readonly string[] {
  const values: string[] = [];
  let quote: string | undefined;
  for (const line of text.split(/\r?\n/, maxLines)) {
    if (quote !== undefined) {
      const end = line.indexOf(quote);
      values.push(end < 0 ? line : line.slice(0, end));
      if (end >= 0) quote = undefined;
      continue;
    }
    const value = assignment.exec(line)?.[1]?.trim();
    if (value === undefined || value === '') continue;
    const opened = /^["'`]/.exec(value)?.[0];
    const end = opened === undefined ? -1 : value.indexOf(opened, 1);
    if (opened !== undefined && end < 0) {
      quote = opened;
      values.push(value.slice(1));
    } else values.push(opened === undefined ? withoutComment(value) : value.slice(1, end));
  }
  return values
    .map((value) => value.trim())
    .filter((value) => value !== '')
    .flatMap((value) => [value, ...passwordsIn(value)]);
}

/** The password of `scheme://user:password@host`, as it stands and decoded: programs print it in either form. RFC 3986, 3.2.1. */
function passwordsIn(value: string): readonly string[] {
  const userinfo = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)@/.exec(value)?.[1];
  const colon = userinfo?.indexOf(':') ?? -1;
  if (userinfo === undefined || colon < 0) return [];
  const password = userinfo.slice(colon + 1);
  try {
    return [...new Set([password, decodeURIComponent(password)])].filter((text) => text !== '');
  } catch {
    return [password];
  }
}

function withoutComment(value: string): string {
  const comment = value.search(/\s#/);
  return comment < 0 ? value : value.slice(0, comment);
}

/** The values of our own keys and tokens in an environment. */
export function ownSecretValues(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretName(name) ? [value, ...passwordsIn(value)] : [],
  );
}
