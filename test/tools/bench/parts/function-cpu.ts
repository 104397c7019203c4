import { ChildWorker } from '../child.ts';
import { atMost, part } from '../part.ts';
import { takeTurns, warm } from '../statistics.ts';

const EVENTS = 3000;
const ROUNDS = 9;

export type Mount = 'function' | 'express' | 'fetch' | 'bare';

/** A process that makes license checks through a mount without a server. */
export const startEvents = (mount: Mount): Promise<ChildWorker> =>
  ChildWorker.start('./servers/events.ts', { BENCH_MOUNT: mount });

const RATIO = 'license check as a function: CPU vs. a bare function';

export const FUNCTION_CPU = part({
  title: 'A license check as a function',
  ratios: { [RATIO]: atMost(1) },
  figures: [
    'license check as a function, CPU µs',
    'bare Express as a function, CPU µs',
    'license check as a function by Express and serverless-http, CPU µs',
  ],
  measure: async () => {
    const mounts = [await startEvents('function'), await startEvents('bare'), await startEvents('express')] as const;
    const [service, bare, express] = mounts;
    const run = (mount: ChildWorker) => () => mount.ask<number>('run', EVENTS);
    for (const mount of mounts) await warm(run(mount));
    const compared = await takeTurns(ROUNDS, run(service), run(bare));
    const byExpress = await takeTurns(ROUNDS, run(express), run(service));
    for (const mount of mounts) mount.stop();
    return {
      ratios: { [RATIO]: compared.ratio },
      figures: {
        'license check as a function, CPU µs': compared.ours,
        'bare Express as a function, CPU µs': compared.bare,
        'license check as a function by Express and serverless-http, CPU µs': byExpress.ours,
      },
    };
  },
});
