import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { isDesignPage } from '../../adapters/host/addresses.ts';
import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { lazy } from '../../adapters/system/loading.ts';
import { rootRoute } from '../../adapters/web/root.ts';
import { agents } from '../composition/areas/access.ts';
import { collect } from '../composition/areas/design/collect.ts';
import { documents } from '../composition/areas/design/documents.ts';
import { gallery } from '../composition/areas/design/gallery.ts';
import { designMcp } from '../composition/areas/design/mcp.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { designRoutes } from '../composition/hosts.ts';
import { bellAt } from '../engines/job-bell.ts';
import { open, slashRoutes } from './open.ts';

const { service, urls, options, host, uploads } = await open(
  'design',
  process.env,
  (settings, engines, { jobsQueueUrl }) =>
    bootstrap(settings, { ...engines, jobBell: bellAt(jobsQueueUrl) }, [
      agents,
      collect,
      documents,
      gallery,
      designMcp,
    ]),
);

/** The paths of the files (media.ts). */
const ELSEWHERE = ['/media/{file}', '/screens/{id}/page'];

const answers = buffered(
  host('design', [rootRoute('design', urls), ...designRoutes(service, { uploads }), ...slashRoutes(ELSEWHERE)]),
);

/**
 * Links in pages start at the root of the host's name; an API Gateway address without its own name has the stage
 * there.
 */
const hasPages = new URL(urls.design).pathname === '/';

/** The pages are loaded with the first request for one, so that no agent's call waits for Express. */
const pages = lazy(async () => {
  const [{ expressApp, gatewayAddress }, { designApp }] = await Promise.all([
    import('../../adapters/lambda-events/express-app.ts'),
    import('../composition/design-app.ts'),
  ]);
  return expressApp(designApp({ service, urls, options, addressOf: gatewayAddress }));
});

/** The design host without the files that it streams (media.ts). The design MCP is loaded with its first message. */
export const handler = async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> =>
  hasPages && isDesignPage(event.path) ? (await pages())(event, context) : answers(event);
