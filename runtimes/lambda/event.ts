import type { APIGatewayProxyEvent } from 'aws-lambda';
import { legacyHeaders } from '../../adapters/http/legacy.ts';
import { LEGACY_VARIABLE } from '../../ports/inbound/legacy-variable.ts';

const sizeOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): number =>
  Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

/** Lines of the same header as one, as Node joins them (RFC 9110, section 5.3; RFC 6265, section 5.4). */
const joinedHeaders = (event: APIGatewayProxyEvent): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const [given, values = []] of Object.entries(event.multiValueHeaders ?? {})) {
    const name = given.toLowerCase();
    // The gateway has put the chunks together.
    if (name !== 'transfer-encoding') headers[name] = values.join(name === 'cookie' ? '; ' : ', ');
  }
  // serverless-http would add the length as a number, which no header is.
  headers['content-length'] ??= String(sizeOf(event));
  return headers;
};

/** Of what came in by the legacy host's API, only what that host passes on. */
const passedHeaders = (event: APIGatewayProxyEvent): Record<string, string> => {
  const headers = joinedHeaders(event);
  return event.stageVariables?.[LEGACY_VARIABLE] === undefined ? headers : legacyHeaders(headers);
};

/**
 * A request of an API Gateway REST API in the form that serverless-http reads without loss: by itself it takes the last
 * line of a header that came in several, and joins cookies by a comma.
 */
export const readable = (event: APIGatewayProxyEvent) => ({
  ...event,
  headers: passedHeaders(event),
  multiValueHeaders: undefined,
  queryStringParameters: undefined,
});
