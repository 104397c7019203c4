import type { RunAsset } from '../../domain/collect/capture.ts';
import { judgeRoom } from '../../domain/collect/run-rules.ts';
import { invalid } from '../../domain/shared/field-errors.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { designObjectKey } from '../../domain/shared/stored-file.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { ReceivedFile } from '../shared/files.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';
import type { CollectSettings } from './collect-settings.ts';
import { judgeCollecting, type RunNamed, readCollecting } from './own-run.ts';
import { renewLease } from './renew-lease.ts';

export type Ports = Needs<'clock' | 'collectRuns' | 'objects' | 'pauses'> & { collectSettings: CollectSettings };

export type Input = RunNamed & {
  readonly asset: Pick<RunAsset, 'sha256' | 'type' | 'url'>;
  readonly file: ReceivedFile;
};

export type AddedAsset = {
  readonly asset: RunAsset;
  /** True where the run had an asset of this address and these bytes. */
  readonly duplicate: boolean;
};

const otherBytes = (sha256: string) =>
  invalid({ sha256: [`The sha256 field must be that of the file, which is ${sha256}.`] });

/** Takes in a style sheet or script that pages of a run load. The same bytes are stored once, whatever loads them. */
export const addAsset =
  ({ collectRuns, objects, clock, pauses, collectSettings }: Ports) =>
  async (input: Input): TwoSteps<Outcome<AddedAsset, 'not_found' | 'collect_run_closed' | 'validation_failed'>> => {
    const { runId, asset: told, file } = input;
    const read = async () => {
      const [collecting, duplicate] = await Promise.all([
        readCollecting(collectRuns, runId),
        runId === null ? false : collectRuns.hasAsset(runId, told),
      ]);
      return { ...collecting, duplicate };
    };
    const first = await read();
    const judged = judgeCollecting(first, input, clock.now());
    if (!judged.ok) return judged;
    const { sha256, size } = file;
    if (told.sha256 !== sha256) return otherBytes(sha256);
    const asset: RunAsset = { sha256, size, type: told.type, url: told.url };
    return async ({ permit }: Clearance) => {
      const { leaseSeconds } = collectSettings;
      await Promise.all([
        objects.put(permit, designObjectKey(sha256), file.open(), { sha256, size }),
        renewLease(permit, collectRuns, first.held, { leaseSeconds, now: clock.now() }),
      ]);
      return rereading(pauses, first, read, async (found) => {
        const run = judgeCollecting(found, input, clock.now());
        if (!run.ok) return run;
        if (found.duplicate) return ok({ asset, duplicate: true });
        const room = judgeRoom(run.value.run, run.value.uploads, 'assets');
        if (!room.ok) return room;
        return (await collectRuns.addAsset(permit, asset, run.value)) ? ok({ asset, duplicate: false }) : CONFLICT;
      });
    };
  };

export type AddAsset = ReturnType<typeof addAsset>;
