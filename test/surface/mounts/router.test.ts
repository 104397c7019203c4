import { describe } from 'vitest';
import { everyHttpSuite } from '../every-suite.ts';
import { IN_MEMORY, openExpressMount } from '../express-mount.ts';
import { byExpressRouter } from '../other-mounts.ts';

describe('the service as routers in an Express app, in memory', () => {
  everyHttpSuite((settings) => openExpressMount(IN_MEMORY, settings, {}, byExpressRouter));
});
