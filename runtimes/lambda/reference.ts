import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { addressBehind } from '../../adapters/http/node-listener.ts';
import { expressApp } from '../../adapters/lambda-events/express-app.ts';
import { DOCUMENTED } from '../../adapters/web/reference-path.ts';
import { limitOn } from '../composition/limit-on.ts';
import { openTable } from '../composition/open-engines.ts';
import { referenceApp } from '../composition/reference-app.ts';
import { settingsOf } from '../composition/settings.ts';
import { openRuntime } from './open-runtime.ts';

const { config, urls, options } = openRuntime('reference', process.env);

/** The table holds the counters of addresses. The function needs nothing else of it. */
const limit = limitOn((await openTable(config)).table, settingsOf(config, urls));

const [api, ...others] = DOCUMENTED.map((host) => ({
  name: new URL(urls[host]).host,
  answer: expressApp(referenceApp(host, { ...options, urls, limit, addressOf: addressBehind([]) })),
})) as [App, ...App[]];

type App = { readonly name: string; readonly answer: ReturnType<typeof expressApp> };

/**
 * The OpenAPI document of each host, and the page to read that of all. They are a function of their own, so that no API
 * call waits for them to load.
 */
export const handler = (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
  const { domainName } = event.requestContext;
  return (others.find(({ name }) => name === domainName) ?? api).answer(event, context);
};
