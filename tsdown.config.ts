import { defineConfig } from 'tsdown';

export default defineConfig([
  {
    entry: { index: 'src/index.ts', mcp: 'src/mcp.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    dts: true,
    clean: true,
    outDir: 'dist',
    outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  },
  {
    entry: { cli: 'src/cli.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    dts: false,
    clean: false,
    outDir: 'dist',
    outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
    minify: { compress: true, mangle: false },
  },
]);
