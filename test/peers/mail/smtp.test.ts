import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SmtpMailer, smtpFault } from '../../../adapters/mail/smtp.ts';
import { EVERY_AREA } from '../../../runtimes/composition/areas/all-areas.ts';
import type { Overrides } from '../../../runtimes/composition/bootstrap.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { settingsOf } from '../../../runtimes/composition/settings.ts';
import { readConfig } from '../../../runtimes/configuration/config.ts';
import { checkMailServer } from '../../../runtimes/doctor/configuration.ts';
import { openEngines } from '../../../runtimes/engines/open-engines.ts';
import { killServer, startServer } from '../../processes/server.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder } from '../../support/builders.ts';
import { selfSigned } from '../../support/certificate.ts';
import { put } from '../../support/contents.ts';
import { URLS } from '../../support/doctored-store.ts';
import { changesOfEachKind, payOrder, refundTheOrder, sendAll } from '../../support/mail.ts';

/** The answers to recipients, by the first part of their addresses. */
const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  gone: [550, 'No such mailbox.'],
  full: [552, '5.2.2 Mailbox full'],
  filled: [550, '5.2.2 Mailbox full'],
  relayed: [554, '5.7.1 Relay access denied'],
  greylisted: [450, '4.2.0 Greylisted'],
};

/** A message as received by a server of nodemailer's authors. */
type Received = { readonly from: string; readonly to: readonly string[]; readonly user: string; readonly raw: string };

let dataDir: string;
let received: Received[];
let mailServer: SMTPServer;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'account-service-mail-'));
  received = [];
  mailServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username = '', password }, _session, answer) =>
      answer(password === 'pass@word' ? null : new Error('Wrong password.'), { user: username }),
    onRcptTo: ({ address }, _session, answer) => {
      const [responseCode, text] = REFUSALS[address.split('@')[0] ?? ''] ?? [];
      answer(text === undefined ? null : Object.assign(new Error(text), { responseCode }));
    },
    onData: async (stream, { envelope, user }, answer) => {
      const raw = Buffer.concat(await Array.fromAsync<Buffer>(stream)).toString();
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), user: String(user), raw });
      answer();
    },
  });
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');
  ends.push(() => mailServer.close());
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  rmSync(dataDir, { recursive: true, force: true });
});

const smtpUrl = (port = (mailServer.server.address() as AddressInfo).port) =>
  `smtp://shop:${encodeURIComponent('pass@word')}@127.0.0.1:${port}`;

const environment = (url = smtpUrl()) => ({ SMTP_URL: url, MAIL_FROM: 'shop@example.com', SAMPLE_STORE: 'never' });

/** A second service on the store of the server's process. */
const serviceBeside = async (overrides: Overrides = {}) => {
  const config = readConfig({ DATA_DIR: dataDir, ...environment() });
  const engines = await openEngines(config, URLS);
  ends.push(() => engines.close());
  return bootstrap(settingsOf(config, URLS), engines, EVERY_AREA, overrides);
};

/** The decoded subject of a message. */
const subjectIn = ({ raw }: Received): string =>
  (/^Subject: ((?:.|\r\n )*)/m.exec(raw)?.[1] ?? '').replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=\s*/gi, (_, way, text) =>
    way.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString()
      : decodeURIComponent(text.replaceAll('_', ' ').replaceAll('=', '%')),
  );

describe('a real mail server', () => {
  test('a mail server gets every kind of message from the server process', async () => {
    const service = await serviceBeside();
    await put(service, { accounts: [anAccount()] });
    await changesOfEachKind(service);
    const server = await startServer(dataDir, environment());
    ends.push(() => killServer(server, 'SIGTERM'));
    await expect.poll(() => received.length).toBe(5);
    await refundTheOrder(service);
    await expect.poll(() => received.length).toBe(6);
    expect(received.map(subjectIn).sort()).toEqual([
      'A new device uses your license',
      'A new key for your account',
      'Answer to your ticket [T7R-TZ2]: It stops',
      'Product 1: your order O-5',
      'Refund for your order O-5',
      '로그인 링크',
    ]);
    for (const { from, to, user, raw } of received) {
      expect({ from, to, user }).toEqual({ from: 'shop@example.com', to: ['buyer-1@example.com'], user: 'shop' });
      expect(raw).toMatch(/^Content-Type: multipart\/alternative/m);
      expect(raw).toMatch(/^Message-ID: <\d+@[\w.-]+>/m);
      expect(raw).toMatch(/^Auto-Submitted: auto-generated/m);
      expect(raw).toMatch(/^X-Auto-Response-Suppress: OOF, AutoReply/m);
    }
    // The mail server receives a message a moment before the sender marks it as sent.
    await expect.poll(() => service.get('messages').waiting(9)).toEqual([]);
  });

  test('the operator learns which unit failed, whatever the other settings are, and a missing address is reported', async () => {
    const tell = (env: NodeJS.ProcessEnv) =>
      promisify(execFile)(process.execPath, ['runtimes/doctor/tell-operator.ts'], { env }).catch((error) => error);
    const unit = { MONITOR_UNIT: 'account-service-backup.service', STORE: 'misspelt' };
    await tell({ ...environment(), ...unit, OPERATOR_EMAIL: 'operator@example.com' });
    expect(received.map(({ to }) => to)).toEqual([['operator@example.com']]);
    expect(received.map(subjectIn)).toEqual([`account-service-backup.service failed on ${hostname()}`]);
    const { code, stderr } = await tell({ ...environment(), OPERATOR_EMAIL: '' });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Nobody heard .*: set OPERATOR_EMAIL and MAIL_FROM, and/),
    ]);
  });

  test('a message that the killed server was sending is sent by the next process', async () => {
    const service = await serviceBeside();
    await put(service, { accounts: [anAccount()] });
    await payOrder(service);
    const silent = createServer().listen(0, '127.0.0.1');
    ends.push(() => silent.close());
    await once(silent, 'listening');
    const reached = once(silent, 'connection');
    const server = await startServer(dataDir, environment(smtpUrl((silent.address() as AddressInfo).port)));
    await reached;
    await killServer(server, 'SIGKILL');
    expect(received).toEqual([]);
    const clock = { now: () => new Date(Date.now() + 180_000).toISOString() };
    expect(await sendAll(await serviceBeside({ clock }))).toEqual(['sent']);
    expect(received.map(subjectIn)).toEqual(['#1: your order O-1']);
  });

  test('a recipient that the mail server refuses is not tried again', async () => {
    const service = await serviceBeside();
    await put(service, { accounts: [anAccount({ email: 'gone@example.com' })] });
    await payOrder(service);
    expect(await sendAll(service)).toEqual(['failed']);
    expect(await service.get('messages').failed(9)).toMatchObject([
      { fault: expect.stringContaining('No such mailbox') },
    ]);
  });

  test('a full mailbox, a greylist, and a shop that may not send yet do not end a message', async () => {
    const service = await serviceBeside();
    const names = Object.keys(REFUSALS).filter((name) => name !== 'gone');
    await put(service, { accounts: names.map((name, n) => anAccount({ id: n + 1, email: `${name}@example.com` })) });
    for (const [n] of names.entries()) await payOrder(service, anOrder({ id: n + 1, account_id: n + 1 }));
    expect(await sendAll(service)).toEqual(names.map(() => 'rests'));
  });

  test('a server that answers with a line now and then holds a message only for its time', async () => {
    const dripping = createServer((socket) => {
      const timer = setInterval(() => socket.write('220-x\r\n'), 50);
      socket.on('close', () => clearInterval(timer)).on('error', () => {});
    }).listen(0, '127.0.0.1');
    ends.push(() => dripping.close());
    await once(dripping, 'listening');
    const { port } = dripping.address() as AddressInfo;
    const mail = { id: '1@example.com', to: 'buyer-1@example.com', from_name: 'Shop', reply_to: null };
    const sent = new SmtpMailer(`smtp://127.0.0.1:${port}`, 'shop@example.com', 300).send({
      ...mail,
      subject: 'Hello',
      text: 'Hello',
      html: 'Hello',
    });
    await expect(sent).rejects.toThrow('The mail server took more than 0.3 seconds.');
    await expect.poll(() => new Promise((resolve) => dripping.getConnections((_, count) => resolve(count)))).toBe(0);
  });
});

describe('the doctor’s trial of a mail server', () => {
  const listening = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    return (server.address() as AddressInfo).port;
  };
  const answering = (text: string) => listening(createServer((socket) => socket.end(text)));
  const untrusted = () => {
    const server = new SMTPServer({ secure: true, ...selfSigned('localhost') });
    server.on('error', () => {});
    return listening(server.server);
  };

  test('a mail server that accepts the user gets no message', async () => {
    expect(await checkMailServer({ way: 'smtp', from: 'shop@example.com', url: smtpUrl() })).toMatchObject([
      { kind: 'fine', message: expect.stringMatching(/^The mail server 127\.0\.0\.1:\d+ accepts messages\.$/) },
    ]);
    expect(received).toEqual([]);
  });

  test.each<[string, () => string | Promise<string>, RegExp]>([
    ['an unknown host', () => 'smtp://mail.invalid', /^The name of the mail server mail\.invalid is not found/],
    ['a closed port', () => 'smtp://127.0.0.1:9', /^127\.0\.0\.1:9 refuses connections/],
    [
      'a wrong password, which even a server that repeats it does not print',
      async () => smtpUrl().replace('pass%40word', 'wrong%3A1'),
      /refuses the user or password of SMTP_URL \(Invalid login: 535 Wrong password\.\)$/,
    ],
    ['TLS without STARTTLS', () => smtpUrl().replace('smtp:', 'smtps:'), /does not speak smtps on this port/],
    [
      'another protocol',
      async () => `smtp://127.0.0.1:${await answering('HTTP/1.1 400 Bad Request\r\n\r\n')}`,
      /does not speak smtp on this port/,
    ],
    [
      'a server that is busy',
      async () => `smtp://127.0.0.1:${await answering('421 4.7.0 Too many connections\r\n')}`,
      /refuses connections for now \(.*421 4\.7\.0 Too many connections.*\); try again later$/,
    ],
    [
      'a server that refuses this machine',
      async () => `smtp://127.0.0.1:${await answering(`554 ${'no '.repeat(300_000)}\r\n`)}`,
      /refuses connections from here \(.{300}\); ask its operator/,
    ],
    [
      'a server without a sign-in for the user',
      async () =>
        `smtp://shop:secret@127.0.0.1:${await listening(new SMTPServer({ hideSTARTTLS: true, authOptional: true, disabledCommands: ['AUTH'] }).server)}`,
      /offers no sign-in for the user of SMTP_URL on this port/,
    ],
    [
      'a certificate of no authority',
      async () => `smtps://localhost:${await untrusted()}`,
      /^The certificate of the mail server localhost:\d+ is not valid \(self-signed certificate/,
    ],
    [
      'a server that never answers',
      async () => `smtp://127.0.0.1:${await listening(createServer(() => {}))}`,
      /does not answer within 5 seconds; the port may be blocked/,
    ],
  ])(
    'the doctor names the fault in one sentence within twelve seconds: %s',
    async (_, url, said) => {
      const began = performance.now();
      expect(await smtpFault(await url())).toMatch(said);
      expect(performance.now() - began).toBeLessThan(12_500);
    },
    20_000,
  );

  test('a mail server that repeats the password, or sends a byte now and then, neither prints it nor lasts', async () => {
    const port = await listening(
      createServer((socket) => {
        socket.write('220 here ESMTP\r\n');
        socket.on('data', (text) =>
          socket.write(String(text).startsWith('EHLO') ? '250-here\r\n250 AUTH LOGIN\r\n' : '535 not p@ss1\r\n'),
        );
      }),
    );
    expect(await smtpFault(`smtp://shop:p%40ss1@127.0.0.1:${port}`)).toMatch(/not …/);
    let open = 0;
    const dripping = await listening(
      createServer((socket) => {
        open++;
        const timer = setInterval(() => socket.write('220-x\r\n'), 500);
        socket.on('close', () => clearInterval(timer) ?? open--).on('error', () => {});
      }),
    );
    expect(await smtpFault(`smtp://127.0.0.1:${dripping}`)).toMatch(/does not answer/);
    await expect.poll(() => open).toBe(0);
  }, 20_000);
});
