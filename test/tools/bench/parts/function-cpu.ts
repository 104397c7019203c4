import { ChildWorker } from '../child.ts';
import { atMost, part } from '../part.ts';
import { takeTurns, warm } from '../statistics.ts';

const EVENTS = 3000;
const ROUNDS = 9;

export type Mount = 'function' | 'fetch' | 'bare';

/** A process that makes license checks by a mount that has no server. */
export const startEvents = (mount: Mount): Promise<ChildWorker> =>
  ChildWorker.start('./servers/events.ts', { BENCH_MOUNT: mount });

export const FUNCTION_CPU = part({
  title: 'A license check as a function',
  ratios: { 'license check as a function: CPU against bare': atMost(1) },
  figures: ['license check as a function, CPU µs', 'bare Express as a function, CPU µs'],
  measure: async () => {
    const [service, express] = [await startEvents('function'), await startEvents('bare')];
    const run = () => service.ask<number>('run', EVENTS);
    const runBare = () => express.ask<number>('run', EVENTS);
    for (const one of [runBare, run]) await warm(one);
    const { ours, bare, ratio } = await takeTurns(ROUNDS, run, runBare);
    service.stop();
    express.stop();
    return {
      ratios: { 'license check as a function: CPU against bare': ratio },
      figures: { 'license check as a function, CPU µs': ours, 'bare Express as a function, CPU µs': bare },
    };
  },
});
