import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { sesFault } from '../../../adapters/mail/ses.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const ACCOUNT = { SendingEnabled: true, ProductionAccessEnabled: true, EnforcementStatus: 'HEALTHY' };
const DOMAIN = 'mail.example.com';
const notFound = { status: 404, type: 'NotFoundException' };

/** The answers of SES by path: a JSON body, or an error. */
const asking = async (answers: Record<string, object>) => {
  const server = createServer(({ url = '' }, response) => {
    const body = answers[decodeURIComponent(url).replace(/^\/v2\/email\//, '')] ?? notFound;
    const fault = 'status' in body ? (body as typeof notFound) : undefined;
    response.writeHead(fault?.status ?? 200, { 'x-amzn-errortype': fault?.type ?? '' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  return sesFault(`shop@${DOMAIN}`, { endpoint, region: 'eu-west-1', credentials });
};

const OK = { VerifiedForSendingStatus: true };

test.each([
  ['a verified domain', { account: ACCOUNT, [`identities/${DOMAIN}`]: OK }, undefined],
  ['a verified domain above', { account: ACCOUNT, 'identities/example.com': OK }, undefined],
  ['a verified address', { account: ACCOUNT, [`identities/shop@${DOMAIN}`]: OK }, undefined],
  [
    'an address that waits for its verification',
    { account: ACCOUNT, [`identities/shop@${DOMAIN}`]: { VerifiedForSendingStatus: false } },
    /has not verified shop@mail\.example\.com or its domain/,
  ],
  [
    'the sandbox',
    { account: { ...ACCOUNT, ProductionAccessEnabled: false }, [`identities/${DOMAIN}`]: OK },
    /only verified addresses get mail/,
  ],
  [
    'a paused account',
    { account: { ...ACCOUNT, SendingEnabled: false, EnforcementStatus: 'SHUTDOWN' } },
    /has paused this account \(SHUTDOWN\)/,
  ],
])('the doctor reads the state of Amazon SES: %s', async (_, answers, said) => {
  const fault = await asking(answers);
  if (said === undefined) expect(fault).toBeUndefined();
  else expect(fault).toMatch(said);
});

test('credentials that may not ask Amazon SES are an error, and no fault of the account', async () => {
  await expect(asking({ account: { status: 403, type: 'AccessDeniedException' } })).rejects.toThrow();
});
