/** Folders that a package manager fills. */
export const vendored: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'vendor',
  'site-packages',
  '.venv',
  'venv',
  'pods',
]);

/** Folders that a build fills. */
export const built: ReadonlySet<string> = new Set([
  'dist',
  'build',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '__pycache__',
  '.tox',
  '.gradle',
]);

/** Of a path in a tree that a tool made and makes again, the top of that tree: `a/node_modules` of `a/node_modules/b/c`. */
export function generatedTop(path: string): string | undefined {
  const parts = path.split('/');
  const at = parts.findIndex((part) => part === '.git' || vendored.has(part.toLowerCase()) || isBuilt(part));
  return at < 0 || (at === parts.length - 1 && isBuilt(parts[at]!)) ? undefined : parts.slice(0, at + 1).join('/');
}

function isBuilt(part: string): boolean {
  return built.has(part.toLowerCase()) || part === 'target';
}
