import { defineConfig, type UserConfig } from 'tsdown';
import { slimDependencies } from './scripts/slim-dependencies.ts';

/** Packages that stay outside of every bundle: apart in files of their own, and what is loaded by name when first needed. */
const apart = [/^@vscode\/ripgrep/, /^ripgrep$/, /^unbash$/, /^re2js$/, /^iconv-lite$/, /^chardet$/];

const shared = {
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outDir: 'dist',
  clean: false,
  // Names stay as they are, so that a stack says something.
  minify: { compress: true, mangle: false },
  // Some packages keep what a bundler can read beside what Node requires.
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
} satisfies UserConfig;

export default defineConfig([
  {
    // The library shares `zod` and `ai` with its user, who hands their values in.
    ...shared,
    entry: { index: 'src/index.ts', 'ai-sdk': 'src/extend/ai-sdk.ts', mcp: 'src/mcp.ts' },
    deps: { neverBundle: [...apart, /^zod($|\/)/, /^ai($|\/)/], alwaysBundle: [/./], onlyBundle: false },
    tsconfig: 'tsconfig.build.json',
    dts: { tsgo: { path: 'node_modules/typescript-native/bin/tsc' } },
    clean: true,
    outputOptions: { chunkFileNames: 'library/[name]-[hash].js' },
  },
  {
    ...shared,
    entry: { cli: 'src/cli.ts' },
    deps: { alwaysBundle: [/./], onlyBundle: false },
    dts: false,
    plugins: [apartFrom('./cli/main.ts', './command/main.cjs')],
  },
  {
    // The command carries everything, so that it starts by reading few files; CommonJS, since Node loads that in less
    // time, and can keep it compiled.
    ...shared,
    format: 'cjs',
    entry: { main: 'src/cli/main.ts' },
    deps: { neverBundle: apart, alwaysBundle: [/./], onlyBundle: false },
    dts: false,
    plugins: [slimDependencies()],
    outExtensions: () => ({ js: '.cjs', dts: '.d.ts' }),
    outputOptions: { entryFileNames: 'command/[name].cjs', chunkFileNames: 'command/[name]-[hash].cjs' },
  },
]);

/** Leaves one import to the running program, under another name. */
function apartFrom(source: string, id: string) {
  return {
    name: 'apart-from',
    resolveId: (asked: string) => (asked === source ? { id, external: true } : undefined),
  };
}
