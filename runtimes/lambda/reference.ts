import { expressApp } from '../../adapters/lambda-events/express-app.ts';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { referenceRouter } from '../../adapters/web/reference.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import { openRuntime } from './open-runtime.ts';

const { urls, options } = openRuntime('reference', process.env);

/**
 * The OpenAPI document and the page to read it with. They are a function of their own, so that no API call waits for
 * them to load.
 */
export const handler = expressApp(webApp([referenceRouter(openApiDocument(urls), Object.values(urls))], options));
