import type { APIGatewayProxyEvent } from 'aws-lambda';

/** An event of `GET /` without headers, query and body. */
export const anEvent = (more: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent => ({
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
  requestContext: { identity: { sourceIp: '198.51.100.7' } } as APIGatewayProxyEvent['requestContext'],
  ...more,
});
