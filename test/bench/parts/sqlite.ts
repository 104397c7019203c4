import { join } from 'node:path';
import { atMost, part } from '../part.ts';
import { AGAIN, compareFresh, licenseShot, onSqlite } from '../service.ts';

export const SQLITE = part({
  title: 'License checks on the sqlite engine',
  text: 'CPU time of the server for each request.',
  ratios: { 'license check, sqlite engine: CPU against the bare route': atMost(1.8) },
  figures: ['license check, sqlite engine, CPU µs', 'license check, bare route beside sqlite, CPU µs'],
  measure: async (folder) => {
    const { ours, bare, ratio } = await compareFresh(onSqlite(join(folder, 'data')), 3000, (service) =>
      licenseShot(service, AGAIN),
    );
    return {
      ratios: { 'license check, sqlite engine: CPU against the bare route': ratio },
      figures: {
        'license check, sqlite engine, CPU µs': ours,
        'license check, bare route beside sqlite, CPU µs': bare,
      },
    };
  },
});
