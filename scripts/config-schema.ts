import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../src/config/json-schema.ts';

/** Writes the published JSON Schema of the configuration file anew: `npx tsx scripts/config-schema.ts`. */
writeFileSync('schema/config.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
