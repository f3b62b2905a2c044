import type { Deed } from './deed.ts';
import type { Refusal } from './refusal.ts';

/** Key material is never written or deleted: a lost key can't be made again, a planted one opens a door. */
export function refuseSecrets(deed: Deed): Refusal | undefined {
  if (deed.kind !== 'write' && deed.kind !== 'delete') return undefined;
  const path = deed.faces.map((face) => face.safe[0]!.toLowerCase()).find(isKeyMaterial);
  if (path === undefined) return undefined;
  return {
    decision: 'deny',
    by: 'secrets: key material',
    reason: `${deed.subject} is key material, which is neither written nor deleted here. Ask the user to do it`,
  };
}

function isKeyMaterial(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  return keyName.test(name) || parts.slice(0, -1).some((part) => keyFolders.has(part));
}

const keyName =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.pub)?|authorized_keys2?|known_hosts|.*\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|gpg|asc)|\.netrc|_netrc|\.git-credentials|\.pgpass|credentials\.json)$/;

const keyFolders: ReadonlySet<string> = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker']);
