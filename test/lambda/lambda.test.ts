import { describe } from 'vitest';
import { everySuite } from '../surface/every-suite.ts';
import { openEmbeddedLambda } from './lambda-mount.ts';

describe('the service on Lambda, on SQLite and files', () => {
  everySuite((settings) => openEmbeddedLambda(settings));
});
