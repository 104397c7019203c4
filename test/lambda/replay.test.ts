import { describe } from 'vitest';
import { openEmbeddedLambda } from './lambda-mount.ts';
import { replaySuite } from './replay-suite.ts';

describe('the worker on Lambda, on SQLite and files', () => {
  replaySuite(() => openEmbeddedLambda());
});
