#!/usr/bin/env node
import * as module from 'node:module';
import { join } from 'node:path';
import { findHome } from './config/home.ts';

// From Node 22.1 on compiled code is kept between runs: among our own state, since a folder that others can write to could
// hand us their code.
const { enableCompileCache } = module as { enableCompileCache?(folder: string): unknown };
enableCompileCache?.(join(findHome(process.env).state, 'compiled'));
const { main } = await import('./cli/main.ts');
await main();
