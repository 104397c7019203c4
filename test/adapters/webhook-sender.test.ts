import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { secretBox } from '../../adapters/crypto/secret-box.ts';
import type { GuardedFetchOptions } from '../../adapters/outbound-http/guarded-fetch.ts';
import { webhookSender } from '../../adapters/outbound-http/webhook-sender.ts';
import { selfSigned } from '../support/certificate.ts';

const { key, cert } = selfSigned('hooks.example');
const LOOPBACK: GuardedFetchOptions = { resolve: async () => ['127.0.0.1'], permits: () => true, ca: cert };
const BODY = JSON.stringify({ type: 'ping', timestamp: '2026-11-21T08:00:00.000Z', data: { name: '한글 “é”' } });

/** Sends a signed body to a receiver that answers so. */
const sendTo = async (
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  { secrets = [secretBox.mint()], ...options }: GuardedFetchOptions & { secrets?: readonly string[] } = {},
): Promise<number> => {
  const server = createServer({ key, cert }, answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const url = `https://hooks.example:${(server.address() as AddressInfo).port}/in`;
  const timestamp = new Date().toISOString();
  return webhookSender({ ...LOOPBACK, ...options }).send({ url, id: 'evt_1', timestamp, body: BODY, secrets });
};

describe('a request to a webhook', () => {
  test('the Standard Webhooks library verifies a request with each of two secrets, and with no other', async () => {
    const secrets = [secretBox.mint(), secretBox.mint()];
    let headers: Record<string, string> = {};
    let reading = Promise.resolve('');
    const status = await sendTo(
      (req, res) => {
        headers = req.headers as Record<string, string>;
        reading = text(req);
        req.on('end', () => res.writeHead(202).end());
      },
      { secrets },
    );
    expect(status).toBe(202);
    const body = await reading;
    expect(body).toBe(BODY);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'evt_1' });
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(BODY));
    expect(() => new Webhook(secretBox.mint()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secrets[0] as string).verify(`${body} `, headers)).toThrow();
  });

  test('a request ends with its status: redirects are not followed, and endless responses are not read', async () => {
    let requests = 0;
    const redirected = await sendTo((_, res) => {
      requests += 1;
      res.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect([redirected, requests]).toEqual([302, 1]);
    const endless = await sendTo((_, res) => {
      res.writeHead(200);
      const more = setInterval(() => res.write(Buffer.alloc(1_000_000)), 1);
      res.on('close', () => clearInterval(more));
    });
    expect(endless).toBe(200);
  });

  test.each([
    ['a private address', { permits: (address: string) => address !== '127.0.0.1' }, /not on the public internet/],
    ['a receiver that does not answer', { timeout: 100 }, /took too long/],
  ])('a request is refused for %s', async (_, options, message) => {
    await expect(sendTo(() => {}, options)).rejects.toThrow(message);
  });

  test('a secret encrypted with a signing key opens only with that key', () => {
    const [one, other] = ['a', 'b'].map((letter) => ({
      kid: letter,
      x: '',
      d: Buffer.alloc(32, letter).toString('base64url'),
      created_at: '2026-01-01T00:00:00.000Z',
      current_from: '2026-01-01T00:00:00.000Z',
    })) as [Parameters<typeof secretBox.seal>[0], Parameters<typeof secretBox.seal>[0]];
    const secret = secretBox.mint();
    const sealed = secretBox.seal(one, secret);
    expect(secretBox.open([other, one], sealed)).toBe(secret);
    expect(secretBox.open([other], sealed)).toBeUndefined();
    expect(secretBox.open([{ ...one, d: null }], sealed)).toBeUndefined();
    expect(() => secretBox.open([{ ...other, kid: 'a' }], sealed)).toThrow();
  });
});
