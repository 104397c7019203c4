import { describe } from 'vitest';
import { everySuite } from '../surface/every-suite.ts';
import { openEmbeddedLambda } from './lambda-mount.ts';

describe('the service on Lambda, on SQLite and files', () => {
  // The gateway hands a request over when it has all of it, and takes no more than 6 MB.
  everySuite((settings) => openEmbeddedLambda(settings), { streams: false });
});
