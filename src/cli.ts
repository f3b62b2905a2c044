#!/usr/bin/env node
import * as module from 'node:module';
import { join } from 'node:path';
import { keepCompiled } from './base/compiled-code.ts';
import { findHome } from './config/home.ts';

// Compiled code is kept between runs: among our own state, since a folder that others can write to could hand us their code.
const { enableCompileCache } = module as { enableCompileCache?(folder: string): unknown };
const compiled = join(findHome(process.env).state, 'compiled');
if (enableCompileCache === undefined) keepCompiled(join(import.meta.dirname, 'command'), compiled);
else enableCompileCache(compiled);
const { main } = await import('./cli/main.ts');
await main();
