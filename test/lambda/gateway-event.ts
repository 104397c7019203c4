import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Match } from './resources.ts';

/** The headers of the client's connection to the gateway, which a function never receives. */
const DROPPED = new Set(['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect']);

const pairsOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as [string, string]] : []));

/** Groups values by name, in order. `ignoreCase` merges names that differ only in case. */
const grouped = (pairs: readonly (readonly [string, string])[], ignoreCase: boolean): Record<string, string[]> => {
  const byName = new Map<string, [string, string[]]>();
  for (const [name, value] of pairs) {
    const id = ignoreCase ? name.toLowerCase() : name;
    const group = byName.get(id) ?? [name, []];
    group[1].push(value);
    byName.set(id, group);
  }
  return Object.fromEntries(byName.values());
};

const lastOf = (multi: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(multi).map(([name, values]) => [name, values.at(-1) ?? '']));

const orNull = <T extends object>(record: T): T | null => (Object.keys(record).length === 0 ? null : record);

/**
 * Creates the event of a REST API with the binary media type `*∕*`: payload format 1.0, the path as sent, the decoded
 * query, and each body in base64.
 */
export const gatewayEvent = (
  req: IncomingMessage,
  body: Buffer,
  { resource, parameters }: Match,
): APIGatewayProxyEvent => {
  const [path = '/', ...query] = (req.url ?? '/').split('?');
  const address = req.socket.remoteAddress ?? '';
  const sent = pairsOf(req.rawHeaders).filter(([name]) => !DROPPED.has(name.toLowerCase()));
  const forwarded = sent.filter(([name]) => name.toLowerCase() === 'x-forwarded-for').map(([, value]) => value);
  const multiValueHeaders = grouped(
    [
      ...sent.filter(([name]) => name.toLowerCase() !== 'x-forwarded-for'),
      ['X-Forwarded-For', [...forwarded, address].join(', ')],
      ['X-Forwarded-Port', '443'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Amzn-Trace-Id', `Root=1-00000000-${randomUUID().replaceAll('-', '').slice(0, 24)}`],
    ],
    true,
  );
  const multiValueQuery = grouped([...new URLSearchParams(query.join('?'))], false);
  const httpMethod = req.method ?? 'GET';
  return {
    resource,
    path,
    httpMethod,
    headers: lastOf(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: orNull(lastOf(multiValueQuery)),
    multiValueQueryStringParameters: orNull(multiValueQuery),
    pathParameters: orNull(parameters),
    stageVariables: null,
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
    requestContext: {
      accountId: '000000000000',
      apiId: 'tested',
      authorizer: null,
      domainName: req.headers.host ?? '',
      extendedRequestId: randomUUID(),
      httpMethod,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: address,
        user: null,
        userAgent: req.headers['user-agent'] ?? null,
        userArn: null,
      },
      path,
      protocol: 'HTTP/1.1',
      requestId: randomUUID(),
      requestTimeEpoch: Date.now(),
      resourceId: 'tested',
      resourcePath: resource,
      stage: 'tested',
    },
  };
};
