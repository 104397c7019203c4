import { grantPermit } from '../../domain/access/grant-permit.ts';
import { failedRun } from '../../domain/design/collect/run-rules.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { passed } from '../support/permits.ts';
import { runBody } from './captures.ts';

/** Ends the run that holds the lock, whoever opened it, so that the next one can open. */
export const freeLock = async (service: Service): Promise<void> => {
  const runs = service.get('collectRuns');
  const held = await runs.lock();
  const read = held.lock && (await runs.get(held.lock.run_id));
  if (read) await runs.end(grantPermit(), failedRun(read.run, null, new Date().toISOString()), read, held);
};

/** Opens a run for this agent in place of the one that holds the lock, and returns its id. */
export const aRun = async (service: Service, agentId: number): Promise<number> => {
  await freeLock(service);
  const opened = await passed(
    service.get('openRun')({
      caller: { id: agentId, name: 'collector' },
      body: runBody,
    }),
  );
  if (!opened.ok) throw new Error(opened.message);
  return opened.value.run.id;
};
