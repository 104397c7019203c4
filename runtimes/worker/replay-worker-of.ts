import type { CollectRuns } from '../../ports/outbound/collect.ts';
import type { Jobs } from '../../ports/outbound/jobs.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import type { Service } from '../composition/service.ts';
import { type Replay, ReplayWorker, type TurnResult, type WorkerLog } from './replay-worker.ts';

/** The parts of a service that its worker uses. */
export type WorkerService = Service<{
  readonly jobs: Jobs;
  readonly collectRuns: CollectRuns;
  readonly replayRun: Replay;
  readonly clock: Clock;
}>;

/** The worker of a service. `worked` is told how each of its turns ended. */
export const replayWorker = (
  service: WorkerService,
  log: WorkerLog,
  worked: (worked: TurnResult) => void = () => {},
): Pick<ReplayWorker, 'workOnce'> => {
  const worker = new ReplayWorker({
    jobs: service.get('jobs'),
    collectRuns: service.get('collectRuns'),
    replayRun: service.get('replayRun'),
    clock: service.get('clock'),
    log,
  });
  return {
    workOnce: async (goOn) => {
      const end = await worker.workOnce(goOn);
      worked(end);
      return end;
    },
  };
};
