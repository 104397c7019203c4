import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LAMBDA_PAYLOAD_BYTES, REQUEST_OVER_LIMIT } from '../../adapters/lambda-events/deployment.ts';
import type { FunctionName } from '../../infra/bundles/functions.ts';
import type { Route } from '../../infra/routes.ts';
import { gatewayAnswer, sendAnswer } from './answers.ts';
import type { Fleet } from './fleet.ts';
import { gatewayEvent } from './gateway-event.ts';
import { matchResource } from './resources.ts';

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

/**
 * Simulates API Gateway: it selects the resource, creates the proxy event, invokes the function and turns the result
 * into an HTTP response. Unlike a REST API, it doesn't rename headers such as `WWW-Authenticate` to
 * `x-amzn-remapped-…`; see docs/aws.md.
 */
export const gatewayFront = (
  routes: readonly Route[],
  fleets: Readonly<Record<FunctionName, Fleet>>,
  stageVariables: Readonly<Record<string, string>> | null = null,
): Server => {
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await bodyOf(req);
    const path = req.url?.split('?')[0] ?? '/';
    const match = matchResource(routes, path);
    if (!match) return gatewayAnswer(res, 403, 'Missing Authentication Token', 'unmatched-request');
    const event = { ...gatewayEvent(req, body ?? Buffer.alloc(0), match), stageVariables };
    const { requestId } = event.requestContext;
    const json = JSON.stringify(event);
    if (!body || Buffer.byteLength(json) > LAMBDA_PAYLOAD_BYTES)
      return gatewayAnswer(res, 413, REQUEST_OVER_LIMIT, requestId);
    const { answer, settled } = await fleets[match.to].invoke(json);
    const isLost = answer.kind === 'error' || (answer.kind === 'result' && answer.json.length > LAMBDA_PAYLOAD_BYTES);
    try {
      if (isLost) gatewayAnswer(res, 502, 'The function failed.', requestId);
      else await sendAnswer(res, answer);
    } finally {
      settled();
    }
  };
  return createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
};
