import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBuyer } from '../../surface/buyers.ts';
import { IN_MEMORY, openExpressMount } from '../../surface/express-mount.ts';
import type { Mount } from '../../surface/mount.ts';
import { openShop } from '../../surface/shop.ts';
import { openFixture } from './fixture.ts';
import { type KeyProxy, openKeyProxy } from './key-proxy.ts';

const SUITE = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const EXPECTED = join(import.meta.dirname, 'expected-failures.yaml');
const REVISIONS = ['2025-11-25', '2026-07-28'];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-conformance-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the conformance suite against a server. A failed test shows its output. */
const run = (url: string, args: readonly string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const given = [SUITE, 'server', '--url', `${url}/api/mcp`, '--output-dir', folder, ...args];
    execFile(process.execPath, given, { maxBuffer: 64 * 1024 * 1024 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });

/** The lines with each scenario's result. */
const summaryOf = (output: string): string => output.slice(Math.max(0, output.indexOf('=== SUMMARY')));

describe('the handler with the tools of the conformance suite', () => {
  let proxy: KeyProxy;
  let fixture: Awaited<ReturnType<typeof openFixture>>;

  beforeAll(async () => {
    fixture = await openFixture();
    proxy = await openKeyProxy(fixture.url, 'any');
  });
  afterAll(() => {
    proxy.close();
    fixture.close();
  });

  test.each(
    REVISIONS,
  )('every scenario of %s passes, except for those that a server with only tools does not need', async (revision) => {
    const { code, output } = await run(proxy.url, [
      '--suite',
      'all',
      '--spec-version',
      revision,
      '--expected-failures',
      EXPECTED,
    ]);
    expect(output).toContain('=== SUMMARY');
    expect([code, code === 0 ? '' : summaryOf(output)]).toEqual([0, '']);
  }, 180_000);
});

describe('the account MCP', () => {
  let mount: Mount;
  let proxy: KeyProxy;

  beforeAll(async () => {
    mount = await openExpressMount(IN_MEMORY);
    await openShop(mount.service);
    const { key } = await aBuyer(mount.service);
    proxy = await openKeyProxy(mount.urls.api, key);
  });
  afterAll(async () => {
    proxy.close();
    await mount.close();
  });

  test.each([
    ['server-initialize', '2025-11-25'],
    ['server-session-lifecycle', '2025-11-25'],
    ['ping', '2025-11-25'],
    ['tools-list', '2025-11-25'],
    ['dns-rebinding-protection', '2025-11-25'],
    ['tools-list', '2026-07-28'],
    ['dns-rebinding-protection', '2026-07-28'],
    ['http-header-validation', '2026-07-28'],
    ['server-sse-multiple-streams', '2026-07-28'],
  ])(
    'the scenario %s of %s passes',
    async (scenario, revision) => {
      const { code, output } = await run(proxy.url, ['--scenario', scenario, '--spec-version', revision]);
      expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    },
    60_000,
  );
});
