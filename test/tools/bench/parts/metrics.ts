import { join } from 'node:path';
import { compare } from '../compare.ts';
import { atMost, part } from '../part.ts';
import { AGAIN, IN_MEMORY, licenseShot, onSqlite, type Service, startService } from '../service.ts';

const MEASURED = { METRICS_PORT: '0' };

const beside = async (env: Record<string, string>, without: Record<string, string>) => {
  const start = async (given: Record<string, string>) => {
    const server: Service = await startService(given);
    return { server, shot: licenseShot(server.more.key, AGAIN) };
  };
  const [measured, plain] = [await start({ ...env, ...MEASURED }), await start(without)];
  const compared = await compare(measured, plain, 4000);
  measured.server.stop();
  plain.server.stop();
  return compared;
};

export const METRICS = part({
  title: 'License checks of a server that measures itself',
  ratios: {
    'license check, memory engine: CPU with metrics vs. without': atMost(1.1),
    'license check, sqlite engine: CPU with metrics vs. without': atMost(1.1),
  },
  figures: [
    'license check with metrics, memory engine, CPU µs',
    'license check without metrics, memory engine, CPU µs',
    'license check with metrics, sqlite engine, CPU µs',
    'license check without metrics, sqlite engine, CPU µs',
  ],
  measure: async (folder) => {
    const memory = await beside(IN_MEMORY, IN_MEMORY);
    const sqlite = await beside(onSqlite(join(folder, 'measured')), onSqlite(join(folder, 'plain')));
    return {
      ratios: {
        'license check, memory engine: CPU with metrics vs. without': memory.ratio,
        'license check, sqlite engine: CPU with metrics vs. without': sqlite.ratio,
      },
      figures: {
        'license check with metrics, memory engine, CPU µs': memory.ours,
        'license check without metrics, memory engine, CPU µs': memory.bare,
        'license check with metrics, sqlite engine, CPU µs': sqlite.ours,
        'license check without metrics, sqlite engine, CPU µs': sqlite.bare,
      },
    };
  },
});
