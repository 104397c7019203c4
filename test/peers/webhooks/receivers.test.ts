import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookSender } from '../../../adapters/outbound-http/webhook-sender.ts';
import { WEBHOOK_KINDS } from '../../../domain/webhooks/webhook.ts';
import { goProgram, installGo, LANGUAGES_TIMEOUT, pythonProgram } from '../../clients/harness.ts';
import { anAccount } from '../../support/account-builders.ts';
import { selfSigned } from '../../support/certificate.ts';
import { put } from '../../support/contents.ts';
import { BY_WEBHOOK, MAILING } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';
import { aWebhook, changesOfEveryKind, deliverAll } from '../../support/webhooks.ts';

const HERE = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'account-service-receivers-'));
const inFolder = (name: string): string => join(folder, name);

const RECEIVERS = [
  ['JavaScript', [process.execPath, 'receiver.mjs']],
  ['Python', [pythonProgram, 'receiver.py']],
  ['Go', [inFolder('receiver')]],
] as const;

const { key, cert } = selfSigned('hooks.example');

describe('a receiver with the Standard Webhooks library receives every event', () => {
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    writeFileSync(inFolder('key.pem'), key);
    writeFileSync(inFolder('cert.pem'), cert);
    await installGo();
    await promisify(execFile)(goProgram, ['build', '-o', inFolder('receiver'), '.'], { cwd: HERE });
  }, LANGUAGES_TIMEOUT);

  afterAll(() => {
    for (const child of started) child.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a receiver that knows one secret; the lines that it prints, of which the first is its port. */
  const start = async (secret: string, [program, ...args]: readonly [string, ...string[]]): Promise<() => string[]> => {
    const env = { ...process.env, SECRET: secret, KEY: inFolder('key.pem'), CERTIFICATE: inFolder('cert.pem') };
    const child = spawn(program, args, { cwd: HERE, env, stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    let said = '';
    child.stdout.on('data', (part) => {
      said += part;
    });
    await expect.poll(() => said).toMatch(/^\d+\n/);
    return () => said.trimEnd().split('\n');
  };

  test.each(
    RECEIVERS,
  )('the receiver in %s verifies every kind, with either of two secrets, and nothing with other secrets', async (_, command) => {
    const sender = webhookSender({ resolve: async () => ['127.0.0.1'], permits: () => true, ca: cert });
    const service = memoryService({ webhookSender: sender }, memoryEngines(), MAILING);
    const { get } = service;
    await put(service, { accounts: [anAccount()] });
    const { id, secret } = await aWebhook(service);
    const lines = await start(secret, command);
    const url = `https://hooks.example:${lines()[0]}/in?from=shop`;
    done(await get('changeWebhook')(BY_WEBHOOK, { webhook_id: id, url, kinds: null, paused: null }));

    done(await get('pingWebhook')(BY_WEBHOOK, { webhook_id: id }));
    expect(await deliverAll(service)).toEqual(['delivered']);
    done(await get('rotateWebhookSecret')(BY_WEBHOOK, { webhook_id: id }));
    await changesOfEveryKind(service);
    const ends = await deliverAll(service);
    expect(new Set(ends)).toEqual(new Set(['delivered']));
    await expect.poll(() => lines().length).toBe(ends.length + 2);
    const [, first, ...kinds] = lines();
    expect([first, new Set(kinds)]).toEqual(['ping', new Set(WEBHOOK_KINDS)]);

    done(await get('rotateWebhookSecret')(BY_WEBHOOK, { webhook_id: id }));
    done(await get('pingWebhook')(BY_WEBHOOK, { webhook_id: id }));
    expect(await deliverAll(service)).toEqual(['rests']);
    await expect.poll(() => lines().at(-1)).toBe('refused');
  });
});
