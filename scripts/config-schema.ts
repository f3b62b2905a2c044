// Writes schema/config.schema.json from the schema that reads configuration files: `npm run schema`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { configJsonSchema } from '../src/config/json-schema.ts';

const file = resolve(import.meta.dirname, '../schema/config.schema.json');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, configJsonSchema());
