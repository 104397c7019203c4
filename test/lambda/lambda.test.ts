import { describe } from 'vitest';
import { everyHttpSuite } from '../surface/every-suite.ts';
import { openEmbeddedLambda } from './lambda-mount.ts';

// The gateway hands over whole requests of at most 6 MB, so the suite of streamed bodies doesn't apply.
describe.each(['rest', 'http'] as const)('the service on Lambda behind %s APIs, on SQLite and files', (kind) => {
  everyHttpSuite((settings) => openEmbeddedLambda(settings, {}, kind), { streams: false });
});
