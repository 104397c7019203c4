import { describe } from 'vitest';
import { type Area, everySuite } from '../surface/every-suite.ts';
import { openEmbeddedLambda } from './lambda-mount.ts';

/** The areas of the hosts that keep their REST APIs, which lambda.test.ts runs. */
const ON_REST: readonly Area[] = [
  'a large capture',
  'a collect run',
  'the gallery',
  'the design MCP',
  'the account host',
  'the legacy host',
  'design documents',
  'the text of a document',
  'lists of documents',
];

describe('the service on Lambda behind HTTP APIs, with the REST API that streams beside them', () => {
  everySuite((settings) => openEmbeddedLambda(settings, {}, 'http'), { streams: false, without: ON_REST });
});
