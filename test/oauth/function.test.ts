import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Context } from 'aws-lambda';
import express from 'express';
import { expect, it } from 'vitest';
import { expressApp } from '../../adapters/lambda-events/express-app.ts';
import { gatewayEvent } from '../lambda/gateway-event.ts';
import { anAuthorizationServer, ISSUER, json, postJson, REDIRECT, refresh, signedIn } from './support.ts';

/** Passes each request to a function as API Gateway does, and returns its result. */
const asFunction = (listener: RequestListener): RequestListener => {
  const app = express();
  app.use((req, res) => listener(req, res));
  const handler = expressApp(app);
  const carry = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const event = gatewayEvent(req, await buffer(req), { resource: '/{proxy+}', parameters: {}, to: 'api' });
    const result = await handler(event, {} as Context);
    for (const [name, value] of Object.entries(result.headers ?? {})) res.setHeader(name, String(value));
    for (const [name, values] of Object.entries(result.multiValueHeaders ?? {}))
      res.setHeader(name, values.map(String));
    res.statusCode = result.statusCode;
    res.end(Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8'));
  };
  return (req, res) => void carry(req, res).catch((error) => res.writeHead(500).end(String(error)));
};

it('the authorization server works as a function behind API Gateway: registration, consent with its cookies, tokens, refresh', async () => {
  const server = await anAuthorizationServer({ mount: asFunction });
  const { client_id, tokens } = await signedIn(server);
  const refreshed = await refresh(server, client_id, tokens.refresh_token);
  expect(refreshed.status, refreshed.text).toBe(200);
  const registered = json(await postJson(server, '/oauth/register', { redirect_uris: [REDIRECT] }));
  expect(registered.registration_client_uri).toMatch(new RegExp(`^${ISSUER}/oauth/register/`));
  const headers = { authorization: `Bearer ${registered.registration_access_token}` };
  expect((await server.send(registered.registration_client_uri, { headers, method: 'DELETE' })).status).toBe(204);
  expect(server.faults).toEqual([]);
});
