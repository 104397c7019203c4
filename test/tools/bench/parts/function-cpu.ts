import { ChildWorker } from '../child.ts';
import { atMost, part } from '../part.ts';
import { takeTurns } from '../statistics.ts';

const EVENTS = 3000;
const ROUNDS = 9;
const WARM_UP = 30_000;

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
    await express.ask('run', WARM_UP);
    await service.ask('run', WARM_UP);
    const { ours, bare, ratio } = await takeTurns(
      ROUNDS,
      () => service.ask<number>('run', EVENTS),
      () => express.ask<number>('run', EVENTS),
    );
    service.stop();
    express.stop();
    return {
      ratios: { 'license check as a function: CPU against bare': ratio },
      figures: { 'license check as a function, CPU µs': ours, 'bare Express as a function, CPU µs': bare },
    };
  },
});
