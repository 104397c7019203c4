import { agents } from '../../../../runtimes/composition/areas/access.ts';
import { collect } from '../../../../runtimes/composition/areas/design/collect.ts';
import { bootstrap } from '../../../../runtimes/composition/bootstrap.ts';
import type { Engines } from '../../../../runtimes/composition/settings.ts';
import { AGENT, anUpload, aRunInput, someFields } from '../../../support/collect-builders.ts';
import { aClock, countedIds, noPauses } from '../../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../../support/memory-engines.ts';
import { done } from '../../../support/outcomes.ts';
import { PERMIT, passed } from '../../../support/permits.ts';

const UNDECLARED = { image_sha256: null, image_size: null, html_sha256: null, html_size: null };

export const OTHER_AGENT = { id: 4, name: 'Second collector' };

/** The use cases of collectors on a store in memory, with a known clock, lease (100 seconds) and ids. */
export const aDesk = (engines: Engines = memoryEngines()) => {
  const clock = aClock();
  const rung: number[] = [];
  const service = bootstrap({ ...SETTINGS, collect: { leaseSeconds: 100 } }, engines, [agents, collect], {
    clock,
    ids: countedIds(),
    pauses: noPauses,
    jobBell: { ring: async ({ id }) => void rung.push(id) },
  });
  const own = (run_id: number) => ({ caller: AGENT, params: { run: run_id } });
  const open = (agent = AGENT, input = aRunInput()) => passed(service.get('openRun')({ caller: agent, body: input }));
  return {
    service,
    clock,
    /** The ids of the jobs for which the bell rang. */
    rung,
    wait: (seconds: number) => {
      clock.at = new Date(Date.parse(clock.at) + seconds * 1000).toISOString();
    },
    open,
    opened: async (agent = AGENT) => done(await open(agent)).run.id,
    show: (run_id: number, id = AGENT.id) =>
      service.get('showRun').forCollector({ caller: { id }, params: { run: run_id } }),
    capture: (run_id: number, n: number, more: Parameters<typeof someFields>[1] = {}, image: Buffer | null = null) =>
      passed(
        service.get('addCapture')({
          ...own(run_id),
          body: { ...someFields(n, more), ...UNDECLARED },
          files: { image: image && anUpload(image), html: null },
        }),
      ),
    asset: (run_id: number, css: string, url = 'https://app.example.com/main.css', sha256?: string) => {
      const file = anUpload(css);
      const asset = { sha256: sha256 ?? file.sha256, type: 'css' as const, url };
      return passed(service.get('addAsset')({ ...own(run_id), body: asset, files: { file } }));
    },
    fail: (run_id: number, error: string | null = null) =>
      passed(service.get('failRun')({ ...own(run_id), body: { error } })),
    submit: (run_id: number) =>
      passed(
        service.get('submitRun')({
          ...own(run_id),
          body: { accounts: null, build_versions: ['7'] },
        }),
      ),
    requeue: async (run_id: number) => service.get('requeueRun')(await PERMIT, run_id),
  };
};
