import { compare } from '../compare.ts';
import { atMost, part } from '../part.ts';
import { AFRESH, AGAIN, IN_MEMORY, licenseShot, signedBytes, startBare, startService } from '../service.ts';

const again = async () => {
  const server = await startService(IN_MEMORY);
  const bare = await startBare();
  const shot = licenseShot(server.more.key, AGAIN);
  const compared = await compare({ server, shot }, { server: bare, shot }, 4000);
  server.stop();
  bare.stop();
  return compared;
};

const afresh = async () => {
  const server = await startService(IN_MEMORY);
  const bare = await startBare({ BENCH_SIGNED: await signedBytes(server) });
  const { key } = server.more;
  const compared = await compare(
    { server, shot: licenseShot(key, AFRESH) },
    { server: bare, shot: licenseShot(key, AFRESH, '/signed') },
    4000,
  );
  server.stop();
  bare.stop();
  return compared;
};

export const REQUESTS = part({
  title: 'License checks on the memory engine',
  ratios: {
    'license check: CPU vs. a bare route': atMost(1.6),
    'license check with a new signature: CPU vs. a bare route that signs': atMost(1.6),
  },
  figures: [
    'license check, memory engine, CPU µs',
    'license check, bare route, CPU µs',
    'license check with a new signature, memory engine, CPU µs',
    'license check, bare route that signs, CPU µs',
    'client of a license check, CPU µs',
    'share of a core that the less busy server used',
  ],
  measure: async () => {
    const license = await again();
    const signed = await afresh();
    return {
      ratios: {
        'license check: CPU vs. a bare route': license.ratio,
        'license check with a new signature: CPU vs. a bare route that signs': signed.ratio,
      },
      figures: {
        'license check, memory engine, CPU µs': license.ours,
        'license check, bare route, CPU µs': license.bare,
        'license check with a new signature, memory engine, CPU µs': signed.ours,
        'license check, bare route that signs, CPU µs': signed.bare,
        'client of a license check, CPU µs': Math.max(license.client, signed.client),
        'share of a core that the less busy server used': Math.min(license.busy, signed.busy),
      },
    };
  },
});
