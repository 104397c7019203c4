import { describe } from 'vitest';
import { everySuite } from '../surface/every-suite.ts';
import { openEmbeddedLambda } from './lambda-mount.ts';

describe('the service on Lambda, on SQLite and files', () => {
  // The gateway hands over whole requests of at most 6 MB, so the suite of streamed bodies doesn't apply.
  everySuite((settings) => openEmbeddedLambda(settings), { streams: false });
});
