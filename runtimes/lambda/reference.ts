import { addressBehind } from '../../adapters/http/node-listener.ts';
import { expressApp } from '../../adapters/lambda-events/express-app.ts';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { referenceCounter, referenceRouter } from '../../adapters/web/reference.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import { limitOn } from '../composition/limit-on.ts';
import { openTable } from '../composition/open-engines.ts';
import { settingsOf } from '../composition/settings.ts';
import { openRuntime } from './open-runtime.ts';

const { config, urls, options } = openRuntime('reference', process.env);

/** The table holds the counters of addresses. The function needs nothing else of it. */
const limit = limitOn((await openTable(config)).table, settingsOf(config, urls));

/**
 * The OpenAPI document and the page to read it with. They are a function of their own, so that no API call waits for
 * them to load.
 */
export const handler = expressApp(
  webApp([referenceRouter(openApiDocument(urls), Object.values(urls))], {
    ...options,
    limit,
    addressOf: addressBehind([]),
    counterOf: referenceCounter,
  }),
);
