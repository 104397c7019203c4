import { describe } from 'vitest';
import { everyHttpSuite } from '../surface/every-suite.ts';
import { openEmbeddedLambda } from './lambda-mount.ts';

// The gateway passes whole requests of at most 6 MB, so the suite of streamed bodies doesn't apply.
describe('the service on Lambda, on SQLite and files', () => {
  everyHttpSuite((settings) => openEmbeddedLambda(settings), { streams: false });
});
