import { describe } from 'vitest';
import { everyHttpSuite } from '../every-suite.ts';
import { IN_MEMORY, openExpressMount } from '../express-mount.ts';
import { byFetch } from '../other-mounts.ts';

describe('the service by fetch handlers, in memory', () => {
  everyHttpSuite(async (settings) => ({
    ...(await openExpressMount(IN_MEMORY, settings, {}, byFetch)),
    // A URL is normalized before a handler sees it.
    normalizesPaths: true,
  }));
});
