import { answerParent } from '../child.ts';
import type { ClosedJob, OpenJob } from '../clients.ts';
import { closedLoop, openLoop } from '../load.ts';
import { licenseShot } from '../service.ts';

/** The process of a client. */
answerParent(
  {},
  {
    closed: ({ port, key, devices, path, count, connections }: ClosedJob) =>
      closedLoop(port, count, licenseShot(key, devices, path), connections),
    open: ({ port, key, devices, path, rate, seconds }: OpenJob) =>
      openLoop(port, rate, seconds, licenseShot(key, devices, path)),
  },
);
