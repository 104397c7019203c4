import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import express, { type RequestHandler } from 'express';
import { describe, expect, test } from 'vitest';
import { hostApp, type RequestLog } from '../../adapters/http/app.ts';
import { sendJson } from '../../adapters/http/reply.ts';
import { buffered } from '../../runtimes/lambda/buffered.ts';

const answerOf = async (app: RequestListener, method = 'GET'): Promise<APIGatewayProxyResult> => {
  const event = { path: '/', httpMethod: method, headers: {}, requestContext: { requestId: 'given-id' }, body: null };
  return (await buffered(app)(event as unknown as APIGatewayProxyEvent, {} as Context, () => {})) as never;
};

const appWith = (handler: RequestHandler, log: RequestLog = () => {}, faults: unknown[] = []) =>
  hostApp([express.Router().all('/', handler)], {
    trustedProxies: [],
    log,
    fault: (error) => faults.push(error),
    health: async () => {},
  });

describe('an answer of JSON as a function', () => {
  test('has the headers set on the response and those of its own', async () => {
    const { statusCode, headers, body } = await answerOf(
      appWith((_req, res) => {
        res.setHeader('X-Number', 7);
        sendJson(res, 201, { text: 'é' });
      }),
    );
    expect({ statusCode, headers, body }).toEqual({
      statusCode: 201,
      headers: {
        'x-request-id': 'given-id',
        'x-content-type-options': 'nosniff',
        'x-number': '7',
        'content-type': 'application/json; charset=utf-8',
        'content-length': '13',
      },
      body: '{"text":"é"}',
    });
  });

  test('to HEAD is its head alone', async () => {
    const { headers, body } = await answerOf(
      appWith((_req, res) => sendJson(res, 200, { a: 1 })),
      'HEAD',
    );
    expect(headers?.['content-length']).toBe('7');
    expect(body).toBe('');
  });

  test('is logged once, with its status', async () => {
    const lines: number[] = [];
    await answerOf(
      appWith(
        (_req, res) => sendJson(res, 418, {}),
        ({ status }) => lines.push(status),
      ),
    );
    expect(lines).toEqual([418]);
  });

  test('that comes late, and of which the response ends once, is given back', async () => {
    const ends: string[] = [];
    const { statusCode } = await answerOf(
      appWith(async (_req, res) => {
        res.on('finish', () => ends.push('finish')).on('close', () => ends.push('close'));
        await setImmediate();
        sendJson(res, 200, {});
        res.end();
      }),
    );
    expect(statusCode).toBe(200);
    expect(ends).toEqual(['finish', 'close']);
  });

  test('stays the one that it is where a fault or a second one follows', async () => {
    const faults: unknown[] = [];
    const { statusCode, body } = await answerOf(
      appWith(
        (_req, res) => {
          sendJson(res, 200, { first: true });
          sendJson(res, 500, { first: false });
        },
        undefined,
        faults,
      ),
    );
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: '{"first":true}' });
    // Express hands faults on in a turn of their own.
    await setImmediate();
    expect(faults).toEqual([expect.objectContaining({ code: 'ERR_HTTP_HEADERS_SENT' })]);
  });
});
