import { setTimeout as pause } from 'node:timers/promises';
import { pick } from '../composition/area.ts';
import { agents } from '../composition/areas/access.ts';
import { collect } from '../composition/areas/design/collect.ts';
import { gallery } from '../composition/areas/design/gallery.ts';
import { replay } from '../composition/areas/design/replay.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { bellAt } from '../engines/job-bell.ts';
import { replayWorker } from '../worker/replay-worker.ts';
import { jobLog } from './json-lines.ts';
import { open } from './open.ts';
import { woken } from './wake.ts';

const { service } = await open('replay', process.env, (settings, engines) =>
  bootstrap(settings, engines, [agents, collect, gallery, replay]),
);

/** The worker of the jobs: a queue wakes it when a run is submitted, and a schedule finds missed jobs. */
export const handler = woken({
  worker: replayWorker(service, jobLog('replay', process.env['STAGE'] ?? 'dev')),
  ...pick(service.parts, ['jobs', 'collectRuns']),
  deadLetters: bellAt(process.env['DEAD_LETTERS_URL'] ?? ''),
  pause,
});
