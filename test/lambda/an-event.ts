import type { GatewayEvent } from '../../adapters/lambda-events/request.ts';

/** An event of `GET /` without headers, query and body. */
export const anEvent = (more: Partial<GatewayEvent> = {}): GatewayEvent => ({
  resource: '/{proxy+}',
  path: '/',
  httpMethod: 'GET',
  headers: {},
  multiValueHeaders: {},
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: null,
  stageVariables: null,
  body: null,
  isBase64Encoded: false,
  requestContext: { identity: { sourceIp: '198.51.100.7' } } as GatewayEvent['requestContext'],
  ...more,
});
