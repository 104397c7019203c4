import { describe } from 'vitest';
import { openEmbeddedLambda } from './lambda-mount.ts';
import { mailSuite } from './mail-suite.ts';

describe('the sender of mail on Lambda, on SQLite and files', () => {
  mailSuite((settings) => openEmbeddedLambda(settings));
});
