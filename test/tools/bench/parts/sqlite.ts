import { join } from 'node:path';
import { compare } from '../compare.ts';
import { atMost, part } from '../part.ts';
import { AGAIN, licenseShot, onSqlite, startBare, startService } from '../service.ts';

export const SQLITE = part({
  title: 'License checks on the sqlite engine',
  ratios: { 'license check, sqlite engine: CPU vs. a bare route': atMost(2.7) },
  figures: ['license check, sqlite engine, CPU µs', 'license check, bare route beside sqlite, CPU µs'],
  measure: async (folder) => {
    const server = await startService(onSqlite(join(folder, 'data')));
    const bareServer = await startBare();
    const shot = licenseShot(server.more.key, AGAIN);
    const { ours, bare, ratio } = await compare({ server, shot }, { server: bareServer, shot }, 3000);
    server.stop();
    bareServer.stop();
    return {
      ratios: { 'license check, sqlite engine: CPU vs. a bare route': ratio },
      figures: {
        'license check, sqlite engine, CPU µs': ours,
        'license check, bare route beside sqlite, CPU µs': bare,
      },
    };
  },
});
