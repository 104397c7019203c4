import type { JobBell } from '../../ports/outbound/jobs.ts';

/** Rings nobody, where no worker listens: a worker elsewhere finds the jobs itself. */
export const silentBell: JobBell = { ring: async () => {} };
