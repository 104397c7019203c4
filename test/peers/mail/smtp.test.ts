import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EVERY_AREA } from '../../../runtimes/composition/areas/all-areas.ts';
import type { Overrides } from '../../../runtimes/composition/bootstrap.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { settingsOf } from '../../../runtimes/composition/settings.ts';
import { readConfig } from '../../../runtimes/configuration/config.ts';
import { openEngines } from '../../../runtimes/engines/open-engines.ts';
import { killServer, startServer } from '../../processes/server.ts';
import { anAccount } from '../../support/account-builders.ts';
import { put } from '../../support/contents.ts';
import { URLS } from '../../support/doctored-store.ts';
import { changesOfEachKind, payOrder, refundTheOrder, sendAll } from '../../support/mail.ts';

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
    onRcptTo: ({ address }, _session, answer) =>
      answer(address.startsWith('gone') ? Object.assign(new Error('No such mailbox.'), { responseCode: 550 }) : null),
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
});
