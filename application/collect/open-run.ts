import type { AgentPrincipal } from '../../domain/access/principal.ts';
import { isHeld, lockOf } from '../../domain/collect/lease.ts';
import type { CollectLock } from '../../domain/collect/run.ts';
import { newRun, type RunWish } from '../../domain/collect/run-rules.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';
import type { CollectSettings } from './collect-settings.ts';
import { type RunView, runView } from './run-view.ts';

export type Ports = Needs<'clock' | 'collectRuns' | 'ids' | 'pauses'> & { collectSettings: CollectSettings };

export type Input = {
  readonly agent: Pick<AgentPrincipal, 'id' | 'name'>;
  readonly wish: RunWish;
};

const heldBy = ({ run_id, agent_name, opened_at, expires_at }: CollectLock) =>
  refuse('collect_run_held', {
    message: `Run ${run_id} of ${agent_name} collects until ${expires_at} at least; wait until it is submitted, fails or expires.`,
    data: { run: { id: run_id, agent: agent_name, opened_at, lease_expires_at: expires_at } },
  });

/** Opens a run that holds the lock on collecting. Of all that try at once, exactly one gets it. */
export const openRun =
  ({ collectRuns, ids, clock, pauses, collectSettings }: Ports) =>
  async ({ agent, wish }: Input): TwoSteps<Outcome<{ run: RunView }, 'collect_run_held'>> => {
    const read = () => collectRuns.lock();
    const first = await read();
    return async ({ permit }: Clearance) => {
      return rereading(pauses, first, read, async (found) => {
        const now = clock.now();
        if (isHeld(found.lock, now)) return heldBy(found.lock);
        const run = newRun(wish, { id: ids.next(), agent: { id: agent.id, name: agent.name } }, now);
        const lock = lockOf(run, collectSettings.leaseSeconds, now);
        if (!(await collectRuns.open(permit, run, lock, found))) return CONFLICT;
        const uploads = { assets: 0, captures: 0 };
        return ok({ run: runView({ run, uploads }, { lock, problems: [], now }) });
      });
    };
  };

export type OpenRun = ReturnType<typeof openRun>;
