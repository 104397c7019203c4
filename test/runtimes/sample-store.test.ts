import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { givesSamples } from '../../runtimes/configuration/auto-settings.ts';
import { ConfigError, readConfig } from '../../runtimes/configuration/config.ts';
import { start } from '../../runtimes/express/start.ts';
import { FREE_PORTS } from '../support/free-ports.ts';

const gives = (env: Readonly<Record<string, string | undefined>>): boolean => givesSamples(readConfig(env));

describe('an empty store', () => {
  test.each([
    {},
    { LISTEN_ADDRESS: '127.0.0.1' },
    { LISTEN_ADDRESS: '127.1.2.3' },
    { LISTEN_ADDRESS: '::1' },
    { API_URL: 'http://localhost:9000', ACCOUNT_URL: 'http://[::1]:1', LEGACY_URL: 'http://old.localhost' },
  ])('an empty store gets the sample store automatically if only this machine reaches the server: %j', (env) => {
    expect(gives(env)).toBe(true);
    expect(gives({ ...env, SAMPLE_STORE: 'never' })).toBe(false);
  });

  test.each([
    { LISTEN_ADDRESS: '0.0.0.0' },
    { LISTEN_ADDRESS: '::' },
    { LISTEN_ADDRESS: '192.0.2.7' },
    { API_URL: 'https://api.example.com' },
    { DESIGN_URL: 'https://design.example.com' },
    { APP_URL: 'https://apps.example.com' },
    { ACCOUNT_URL: 'http://10.0.0.7:8790' },
    { LEGACY_URL: 'https://127.0.0.1.example.com' },
    { TRUSTED_PROXIES: 'loopback' },
  ])('an empty store gets no sample store automatically if others can reach the server: %j', (env) => {
    expect(gives(env)).toBe(false);
    expect(gives({ ...env, SAMPLE_STORE: 'auto' })).toBe(false);
    expect(gives({ ...env, SAMPLE_STORE: 'always' })).toBe(true);
  });
});

test('a server that others can reach does not start while the demo account has its public password', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'demo-account-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true }));
  const env = { DATA_DIR, ...FREE_PORTS, LOG_LEVEL: 'silent' };
  const run = async (more: object) => (await start({ ...env, ...more }, { print: () => {} })).stop();
  await run({});
  await expect(run({ LISTEN_ADDRESS: '0.0.0.0' })).rejects.toThrow(
    'anyone can sign in as demo@example.com with the password of the sample store; run: account erase demo@example.com',
  );
  await run({ LISTEN_ADDRESS: '0.0.0.0', SAMPLE_STORE: 'always' });
  await run({});
});

describe('the address to listen on', () => {
  test('the server listens on the loopback address unless LISTEN_ADDRESS names another', () => {
    expect(readConfig({}).address).toBe('127.0.0.1');
    expect(readConfig({ LISTEN_ADDRESS: '::' }).address).toBe('::');
  });

  test.each([
    'localhost',
    '*',
    '256.0.0.1',
    '127.0.0.1:8787',
  ])('the listen address %s is refused, and the line names the variable', (LISTEN_ADDRESS) => {
    expect(() => readConfig({ LISTEN_ADDRESS })).toThrow(
      new ConfigError(
        `LISTEN_ADDRESS takes an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them; it is "${LISTEN_ADDRESS}".`,
      ),
    );
  });

  test('an invalid value of SAMPLE_STORE is named', () => {
    expect(() => readConfig({ SAMPLE_STORE: 'yes' })).toThrow(
      'SAMPLE_STORE takes one of auto, always, never; it is "yes".',
    );
  });
});
