import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where programs keep what opens doors, below the home folder. */
const files: readonly string[] = [
  ...['.aws/credentials', '.netrc', '.git-credentials', '.pgpass', '.docker/config.json', '.kube/config'],
  ...['.config/gh/hosts.yml', '.config/gcloud', '.azure', '.gnupg/private-keys-v1.d'],
];
const sshKey = /^id_(?!.*\.pub$)|\.(?:pem|key|ppk)$/;

/** The keys and credentials that lie in a home folder by their usual names. */
export function homeSecrets(home: string): readonly string[] {
  const ssh = join(home, '.ssh');
  const keys = namesIn(ssh).filter((name) => sshKey.test(name));
  return [...keys.map((name) => join(ssh, name)), ...files.map((name) => join(home, name))].filter((path) =>
    existsSync(path),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
