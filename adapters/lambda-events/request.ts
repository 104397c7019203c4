import type { APIGatewayProxyEvent } from 'aws-lambda';
import { legacyHeaders } from '../host/legacy.ts';
import type { HostRequest } from '../host/request.ts';
import { LEGACY_VARIABLE } from './legacy-variable.ts';

const NOTHING = new Uint8Array();

const sizeOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): number =>
  Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

/** The bytes of a body. The APIs take every type for binary, so that a body comes in base64. */
const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Uint8Array =>
  body === null ? NOTHING : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/** The headers of an event by lower-case name, lines of the same one joined (RFC 9110, section 5.3; RFC 6265, section 5.4). */
export const joinedHeaders = (event: APIGatewayProxyEvent): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const [given, values = []] of Object.entries(event.multiValueHeaders ?? {})) {
    const name = given.toLowerCase();
    // The gateway has put the chunks together.
    if (name !== 'transfer-encoding') headers[name] = values.join(name === 'cookie' ? '; ' : ', ');
  }
  headers['content-length'] ??= String(sizeOf(event));
  return headers;
};

/** U+FFFD in a query, which the gateway puts for bytes that are no text, and a byte that is no UTF-8. */
const [MENDED, NO_TEXT] = ['%EF%BF%BD', '%FF'];

/**
 * The gateway decodes a query; it is encoded again. What the gateway has mended is encoded as a byte that is no UTF-8,
 * so that the host refuses it.
 */
const queryOf = ({ multiValueQueryStringParameters: values }: APIGatewayProxyEvent): string => {
  if (values == null) return '';
  const pairs = Object.entries(values).flatMap(([name, all = []]) =>
    all.map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs).toString().replaceAll(MENDED, NO_TEXT);
};

/**
 * An event of API Gateway as a host takes it. A request that came by the legacy host's API has only the
 * headers that this host passes on. The client's address is the one that the gateway names, whatever headers it sent.
 */
export const requestOf = (event: APIGatewayProxyEvent): HostRequest => {
  const headers = joinedHeaders(event);
  return {
    method: event.httpMethod,
    path: event.path,
    query: queryOf(event),
    headers: event.stageVariables?.[LEGACY_VARIABLE] === undefined ? headers : legacyHeaders(headers),
    address: () => event.requestContext.identity.sourceIp,
    length: sizeOf(event),
    body: () => bytesOf(event),
  };
};
