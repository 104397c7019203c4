import { describe } from 'vitest';
import { everySuite } from '../every-suite.ts';
import { IN_MEMORY, openExpressMount } from '../express-mount.ts';

describe('the service on Express, in memory', () => {
  everySuite((settings) => openExpressMount(IN_MEMORY, settings));
});
