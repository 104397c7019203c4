import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { presentFormat } from '../../adapters/store/formats.ts';
import { cli } from '../support/cli.ts';
import { fillStore } from './fill-store.ts';
import { DAYS, knownOf, STORES } from './old-stores.ts';
import { pack } from './packed.ts';
import { SHAPES, shapesOf } from './shapes.ts';

/**
 * `npm run formats` records the shapes of stored records. For a new format, or with `-- --store` for a release, it also
 * saves a store of this version.
 */

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
const dataDir = join(folder, 'data');
const known = await fillStore(dataDir);
writeFileSync(SHAPES, await shapesOf(dataDir));
const isNew = DAYS.every((day) => (knownOf(day).format ?? 1) < presentFormat());
if (isNew || process.argv.includes('--store')) {
  const { backup } = (await cli(['backup', join(folder, 'backups'), '--json'], { DATA_DIR: dataDir })).json();
  const kept = join(STORES, known.made_at.slice(0, 10));
  writeFileSync(`${kept}.gz`, pack(backup));
  writeFileSync(`${kept}.json`, `${JSON.stringify(known, null, 2)}\n`);
}
rmSync(folder, { recursive: true });
process.exit(0);
