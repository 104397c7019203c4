import { atMost, part } from '../part.ts';
import { AFRESH, AGAIN, compareFresh, IN_MEMORY, licenseShot } from '../service.ts';
import { PRODUCTS } from '../store.ts';

export const REQUESTS = part({
  title: 'License checks on the memory engine',
  text: 'CPU time of the server for each request.',
  ratios: {
    'license check: CPU against the bare route': atMost(1.1),
    'license check signed afresh: CPU against the bare route': atMost(1.1),
  },
  figures: [
    'license check, memory engine, CPU µs',
    'license check, bare route, CPU µs',
    'license check signed afresh, memory engine, CPU µs',
  ],
  measure: async () => {
    const license = await compareFresh(IN_MEMORY, 3000, (ours) => licenseShot(ours, AGAIN));
    const afresh = await compareFresh(IN_MEMORY, PRODUCTS * AFRESH, (ours) => licenseShot(ours, AFRESH));
    return {
      ratios: {
        'license check: CPU against the bare route': license.ratio,
        'license check signed afresh: CPU against the bare route': afresh.ratio,
      },
      figures: {
        'license check, memory engine, CPU µs': license.ours,
        'license check, bare route, CPU µs': license.bare,
        'license check signed afresh, memory engine, CPU µs': afresh.ours,
      },
    };
  },
});
