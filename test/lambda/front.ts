import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LAMBDA_PAYLOAD_BYTES, REQUEST_OVER_LIMIT } from '../../adapters/lambda-events/limits.ts';
import type { FunctionName } from '../../infra/bundles/functions.ts';
import type { HttpRoutes, RestRoutes } from '../../infra/gateways.ts';
import { gatewayAnswer, sendAnswer } from './answers.ts';
import type { Fleet } from './fleet.ts';
import { decodedPath, gatewayEvent, httpApiEvent } from './gateway-event.ts';
import { type Match, matchResource } from './resources.ts';

/** The body limit of API Gateway. */
const GATEWAY_BODY_BYTES = 10 * 1024 * 1024;

/** The body, or undefined if it is over the gateway's limit. */
const bodyOf = async (req: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= GATEWAY_BODY_BYTES) chunks.push(chunk);
  }
  return size <= GATEWAY_BODY_BYTES ? Buffer.concat(chunks) : undefined;
};

export type Gateway = RestRoutes | HttpRoutes;

const isUnder = (path: string, under: string): boolean => path === `/${under}` || path.startsWith(`/${under}/`);

/** The gateway that the mappings of a name lead a path to: the one with the longest mapping. */
const gatewayFor = (gateways: readonly Gateway[], path: string): Gateway | undefined =>
  gateways.find((one) => one.kind === 'rest' && one.under !== undefined && isUnder(path, one.under)) ??
  gateways.find((one) => one.kind === 'http' || one.under === undefined);

/** The route of a path. A REST API looks for its resource without the path of its mapping. */
const matchIn = (gateway: Gateway, path: string): Match | undefined => {
  if (gateway.kind === 'rest')
    return matchResource(gateway.routes, path.slice((gateway.under?.length ?? -1) + 1) || '/');
  return (
    matchResource(gateway.routes, decodedPath(path)) ?? { resource: '$default', to: gateway.others, parameters: {} }
  );
};

/** The words of each kind of gateway. An HTTP API has its own, which nobody can change. */
const WORDS = {
  rest: { tooLarge: REQUEST_OVER_LIMIT, failed: { status: 502, message: 'The function failed.' } },
  http: { tooLarge: 'Request Entity Too Large', failed: { status: 500, message: 'Internal Server Error' } },
} as const;

/**
 * Stands in for API Gateway: it picks the gateway by the mappings of a name, and the resource or route; it makes the
 * proxy event, invokes the function and turns the result into an HTTP response. Unlike a REST API, it doesn't rename
 * headers such as `WWW-Authenticate` to `x-amzn-remapped-…`; see docs/aws.md. Like an HTTP API, it streams nothing.
 */
export const gatewayFront = (
  gateways: readonly Gateway[],
  fleets: Readonly<Record<FunctionName, Fleet>>,
  stageVariables: Readonly<Record<string, string>> | null = null,
): Server => {
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await bodyOf(req);
    const path = req.url?.split('?')[0] ?? '/';
    const gateway = gatewayFor(gateways, path);
    const match = gateway && matchIn(gateway, path);
    if (!gateway || !match) return gatewayAnswer(res, 403, 'Missing Authentication Token', 'unmatched-request');
    const { tooLarge, failed } = WORDS[gateway.kind];
    const eventOf = gateway.kind === 'rest' ? gatewayEvent : httpApiEvent;
    const event = { ...eventOf(req, body ?? Buffer.alloc(0), match), stageVariables };
    const { requestId } = event.requestContext;
    const json = JSON.stringify(event);
    if (!body || Buffer.byteLength(json) > LAMBDA_PAYLOAD_BYTES) return gatewayAnswer(res, 413, tooLarge, requestId);
    const { answer, settled } = await fleets[match.to].invoke(json);
    const isLost =
      answer.kind === 'error' ||
      (answer.kind === 'result' && answer.json.length > LAMBDA_PAYLOAD_BYTES) ||
      (answer.kind === 'stream' && gateway.kind === 'http');
    try {
      if (isLost) gatewayAnswer(res, failed.status, failed.message, requestId);
      else await sendAnswer(res, answer);
    } finally {
      settled();
    }
  };
  return createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
};
