import { describe } from 'vitest';
import { everySuite } from '../every-suite.ts';
import { IN_MEMORY, openExpressMount } from '../express-mount.ts';
import { byFetch } from '../other-mounts.ts';

describe('the service by fetch handlers, in memory', () => {
  everySuite(async (settings) => ({
    ...(await openExpressMount(IN_MEMORY, settings, {}, byFetch)),
    // A URL is normalized before a handler sees it.
    normalizesPaths: true,
  }));
});
