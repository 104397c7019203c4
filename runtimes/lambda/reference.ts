import { hostApp } from '../../adapters/http/app.ts';
import { docsRouter } from '../../adapters/http/docs.ts';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { buffered } from './buffered.ts';
import { openRuntime } from './open-runtime.ts';

const { urls, options } = openRuntime('reference', process.env);

/** The OpenAPI document and the page to read it with; apart from the rest, so that no API call waits for them to load. */
export const handler = buffered(
  hostApp([docsRouter(openApiDocument(urls), Object.values(urls))], { ...options, health: async () => {} }),
);
