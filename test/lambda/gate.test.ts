import type { APIGatewayProxyEvent } from 'aws-lambda';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { frontOf } from '../../adapters/host/front.ts';
import type { RequestLog } from '../../adapters/host/host.ts';
import type { HostRequest } from '../../adapters/host/request.ts';
import type { RequestLine } from '../../adapters/host/request-line.ts';
import { buffered } from '../../adapters/lambda-events/buffered.ts';
import { expressApp } from '../../adapters/lambda-events/express-app.ts';
import { gateBehind } from '../../adapters/lambda-events/gate.ts';
import { LEGACY_VARIABLE } from '../../adapters/lambda-events/legacy-variable.ts';
import { anEvent } from './an-event.ts';

const SECRET = 's'.repeat(48);
const VIEWER = '203.0.113.9';
const GATEWAY = '198.51.100.7';

const opened = (isOnlyWay: boolean, log: RequestLog = () => {}) =>
  gateBehind(frontOf([SECRET], isOnlyWay), { log, fault: () => {} });

const sent = (headers: Record<string, string>, more: Partial<APIGatewayProxyEvent> = {}) =>
  anEvent({
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ...more,
  });

const THROUGH = { 'X-Origin-Secret': SECRET, 'CloudFront-Viewer-Address': `${VIEWER}:443`, Accept: 'text/plain' };
const FORGED = { 'X-Origin-Secret': 'guessed', 'CloudFront-Viewer-Address': `${VIEWER}:443` };

/** The request that a host behind a gate gets for an event, if it gets one, and the answer. */
const asked = async (event: APIGatewayProxyEvent, gate = opened(true)) => {
  let seen: HostRequest | undefined;
  const handle = async (request: HostRequest) => {
    seen = request;
    return { status: 204, headers: {}, body: null };
  };
  return { answer: await buffered({ handle, serves: () => true }, gate)(event), seen };
};

describe('the gate of a function', () => {
  test('a request through the front reaches the host from the viewer’s address, without the front’s headers', async () => {
    const { seen } = await asked(sent(THROUGH));
    expect(seen?.address()).toBe(VIEWER);
    expect(seen?.headers).toEqual({ accept: 'text/plain', 'content-length': '0' });
  });

  test('a request to the legacy host through the front comes from the viewer’s address', async () => {
    const { seen } = await asked(sent(THROUGH, { stageVariables: { [LEGACY_VARIABLE]: 'true' } }));
    expect(seen?.address()).toBe(VIEWER);
  });

  test.each([
    ['without a secret', {}],
    ['with a wrong secret', FORGED],
  ])('a request %s is answered 403 in the shape of errors, and reaches no host', async (_, headers) => {
    const { seen, answer } = await asked(sent({ ...headers, 'X-Request-Id': 'given-id' }));
    expect(seen).toBeUndefined();
    expect(answer).toMatchObject({
      statusCode: 403,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-store',
        'x-request-id': 'given-id',
      },
    });
    expect(JSON.parse(answer.body)).toEqual({
      message: 'This address takes no requests of its own; send them to the public name of this host.',
    });
  });

  test('a refused request is logged with the gateway’s address, and no secret is', async () => {
    const lines: RequestLine[] = [];
    await asked(
      sent(FORGED),
      opened(true, (line) => lines.push(line)),
    );
    expect(lines).toMatchObject([{ status: 403, address: GATEWAY, path: '/' }]);
    expect(JSON.stringify(lines)).not.toContain('guessed');
  });

  test('where requests may come directly, one without the secret has the gateway’s address, whatever it claims', async () => {
    const { seen, answer } = await asked(sent(FORGED), opened(false));
    expect([answer.statusCode, seen?.address()]).toEqual([204, GATEWAY]);
    expect(seen?.headers).toEqual({ 'content-length': '0' });
  });

  test('a viewer’s address that can’t be read leaves the gateway’s', async () => {
    const { seen } = await asked(sent({ 'X-Origin-Secret': SECRET, 'CloudFront-Viewer-Address': 'nowhere' }));
    expect(seen?.address()).toBe(GATEWAY);
  });

  test('pages get the viewer’s address as that of the socket, and a request around the front gets no page', async () => {
    const app = express().use((req, res) => res.json([req.socket.remoteAddress, req.headers['x-origin-secret']]));
    const answer = expressApp(app, opened(true));
    const context = {} as Parameters<typeof answer>[1];
    expect(JSON.parse((await answer(sent(THROUGH), context)).body)).toEqual([VIEWER, null]);
    expect((await answer(sent(FORGED), context)).statusCode).toBe(403);
  });
});
