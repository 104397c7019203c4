import type { Needs } from '../../ports/outbound/needs.ts';
import { type RunView, runView } from './run-view.ts';

export type Ports = Needs<'clock' | 'collectRuns'>;

/** A run of a list, which leaves its problems to the run itself. */
export type ListedRun = Omit<RunView, 'problems'>;

/** Lists the runs of all agents for the operator, newest first. */
export const listRuns =
  ({ collectRuns, clock }: Ports) =>
  async (limit: number): Promise<ListedRun[]> => {
    const [runs, { lock }] = await Promise.all([collectRuns.newest(limit), collectRuns.lock()]);
    const now = clock.now();
    return runs.map((read) => {
      const { problems: _, ...listed } = runView(read, { lock, problems: [], now });
      return listed;
    });
  };

export type ListRuns = ReturnType<typeof listRuns>;
