import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../../infra/bundles/build.ts';
import { BUNDLED, type BundleName, bundleOf, FUNCTIONS } from '../../infra/bundles/functions.ts';
import { deployedBundles } from './deployed-bundles.ts';

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-bundles-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the deployed bundles', () => {
  let bundles: Bundle[];
  beforeAll(async () => {
    bundles = await deployedBundles(folder);
  }, 240_000);

  const inputsWith = (unwanted: string, names: readonly BundleName[]): string[] =>
    bundles
      .filter(({ name }) => names.includes(name))
      .flatMap(({ name, inputs }) =>
        inputs.filter((input) => input.includes(unwanted)).map((input) => `${name}: ${input}`),
      );

  const without = (...names: readonly BundleName[]) => FUNCTIONS.filter((name) => !names.includes(name));

  test('every bundle names the many files that it is made of', () => {
    expect(bundles.map(({ name }) => name).toSorted()).toEqual([...BUNDLED].toSorted());
    expect(bundles.filter(({ inputs }) => inputs.length <= 100)).toEqual([]);
  });

  test.each([
    'node_modules/swagger-ui',
    'node_modules/commander',
    'node_modules/cli-progress',
    'adapters/sqlite/connection',
    'runtimes/express',
    'runtimes/composition/areas/all-areas',
    'test/',
  ])('the bundles contain no file of %s', (unwanted) => {
    expect(inputsWith(unwanted, FUNCTIONS)).toEqual([]);
  });

  test.each([
    ['node_modules/stripe/', 'shop'],
    ['node_modules/@paddle/', 'shop'],
    ['application/sales/record-sale', 'shop'],
    ['node_modules/nodemailer', 'mail'],
    ['node_modules/@aws-sdk/client-sesv2', 'mail'],
    ['application/mail/send-next-message', 'mail'],
  ] as const)('only the bundles of the selling and the mailing function contain files of %s', (own, name) => {
    expect(inputsWith(own, [name])).not.toEqual([]);
    expect(inputsWith(own, without(name))).toEqual([]);
  });

  test.each([
    ['node_modules/express/', 'account'],
    ['node_modules/serverless-http/', 'account'],
    ['adapters/lambda-events/express-app', 'account'],
    ['adapters/openapi/', 'reference'],
    ['adapters/web/reference', 'reference'],
  ] as const)('only the bundles with pages contain files of %s', (own, name) => {
    expect(inputsWith(own, [name])).not.toEqual([]);
    expect(inputsWith(own, ['api', 'app', 'downloads', 'mcp', 'media', 'replay'])).toEqual([]);
  });

  test.each([
    'node_modules/oidc-provider/',
    'node_modules/openid-client/',
    'node_modules/undici/',
    'adapters/oauth/',
    'application/sign-in/passwords',
  ])('of the bundles that serve buyers, only account contains files of %s', (own) => {
    expect(inputsWith(own, ['account'])).not.toEqual([]);
    expect(inputsWith(own, without('account', 'mail', 'shop'))).toEqual([]);
  });

  test('of the bundles that serve buyers, those that merge the account of a redeemed key can end its grants', () => {
    const own = 'adapters/store/oauth-records';
    for (const name of ['account', 'api', 'mcp'] as const) expect(inputsWith(own, [name]), name).not.toEqual([]);
    expect(inputsWith(own, without('account', 'api', 'mcp', 'mail', 'shop'))).toEqual([]);
  });

  test.each([
    'node_modules/@modelcontextprotocol/',
    'adapters/mcp/',
  ])('only the bundles of hosts with an MCP contain files of %s', (own) => {
    for (const name of ['mcp', 'design', 'shop'] as const) expect(inputsWith(own, [name]), name).not.toEqual([]);
    expect(inputsWith(own, without('mcp', 'design', 'shop'))).toEqual([]);
  });

  test.each([
    'node_modules/parse5/',
    'node_modules/css-tree/',
    'node_modules/@jimp/',
    'adapters/design/pages/thread.ts',
    'application/design/collect/replay-run',
    'runtimes/worker/replay-worker',
  ])('only the worker’s bundle contains files of %s', (own) => {
    expect(inputsWith(own, ['replay'])).not.toEqual([]);
    expect(inputsWith(own, without('replay'))).toEqual([]);
  });

  test('only the bundles with Markdown pages contain its renderer', () => {
    for (const name of ['account', 'design'] as const)
      expect(inputsWith('node_modules/markdown-it/', [name])).not.toEqual([]);
    expect(inputsWith('node_modules/markdown-it/', without('account', 'design'))).toEqual([]);
    const design = bundles.find(({ name }) => name === 'design');
    expect(design?.startInputs.filter((input) => input.includes('node_modules/markdown-it/'))).toEqual([]);
  });

  test.each([
    'node_modules/diff/',
    'adapters/web/gallery/',
  ])('only the design host’s bundle contains files of %s, and loads them with its first page', (own) => {
    expect(inputsWith(own, ['design'])).not.toEqual([]);
    expect(inputsWith(own, without('design'))).toEqual([]);
    const design = bundles.find(({ name }) => name === 'design');
    expect(design?.startInputs.filter((input) => input.includes(own))).toEqual([]);
  });

  test.each([
    'node_modules/@aws-sdk/client-sqs/',
    'adapters/design/pages/',
    'application/design/collect/',
  ])('only the bundles that queue and run jobs contain files of %s', (own) => {
    for (const name of ['design', 'replay'] as const) expect(inputsWith(own, [name]), name).not.toEqual([]);
    expect(inputsWith(own, without('design', 'replay'))).toEqual([]);
  });

  test('the bundles that serve nothing of the design host contain none of its declarations', async () => {
    const holding = async (name: BundleName): Promise<boolean> => {
      const files = (await readdir(bundleOf(name, folder))).filter((file) => file.endsWith('.mjs'));
      const texts = await Promise.all(files.map((file) => readFile(join(bundleOf(name, folder), file), 'utf8')));
      return texts.some((text) => text.includes('/api/agent/'));
    };
    // The texts of the account MCP name every endpoint; only its declarations count.
    const holders = await Promise.all(without('mcp').map(async (name) => ((await holding(name)) ? name : undefined)));
    expect(holders.filter((name) => name !== undefined)).toEqual(['design', 'reference', 'replay', 'shop']);
  });

  test('the worker’s bundle has its reader thread’s program beside its entry', async () => {
    const files = await readdir(bundleOf('replay', folder));
    expect(files).toEqual(expect.arrayContaining(['index.mjs', 'page-thread.mjs']));
  });

  test('the design bundle has the skill package where the service looks for it', async () => {
    const skill = await readFile(join(bundleOf('design', folder), 'adapters', 'design', 'skill', 'SKILL.md'), 'utf8');
    expect(skill).toMatch(/^---\n/);
  });

  test('the bundles that serve neither messages nor readers contain no documentation', () => {
    expect(inputsWith('.texts.ts', ['mcp'])).not.toEqual([]);
    const silent = without('mcp', 'design', 'reference', 'shop');
    expect(inputsWith('.texts.ts', silent)).toEqual([]);
  });

  test.each([
    'node_modules/body-parser',
    'node_modules/iconv-lite',
    'node_modules/mime-db',
    'node_modules/proxy-addr',
    'node_modules/qs/',
    'adapters/http/',
  ])('the bundles that serve endpoints contain no file of %s', (unwanted) => {
    expect(inputsWith(unwanted, ['api', 'app', 'downloads', 'mcp', 'media'])).toEqual([]);
  });

  test.each([
    ['app', 'licensing/check-license'],
    ['app', 'support/'],
    ['downloads', 'licensing/check-license'],
    ['downloads', 'billing/'],
  ] as const)('the %s bundle contains no use case of %s, because another function answers its endpoints', (name, area) => {
    expect(inputsWith(`application/${area}`, ['api'])).not.toEqual([]);
    expect(inputsWith(`application/${area}`, [name])).toEqual([]);
  });

  test.each([
    'node_modules/sanitize-html',
    'node_modules/fast-xml-builder',
    'node_modules/@fastify/busboy',
    'node_modules/@aws-sdk/client-dynamodb',
    'node_modules/@aws-sdk/client-s3',
    'node_modules/@aws-sdk/client-secrets-manager',
    'node_modules/@aws-sdk/credential-provider-sso',
    'adapters/appcast/appcast-xml',
    'adapters/dynamodb/',
    'adapters/host/form',
    'adapters/html/sanitizer',
    'adapters/s3/s3-objects',
    'adapters/secrets/',
    'node_modules/pino',
    'node_modules/object-inspect',
    'node_modules/@aws-sdk/client-sqs',
    'node_modules/@modelcontextprotocol',
    'node_modules/express/',
    '.texts.ts',
    'node_modules/parse5/',
    'node_modules/@jimp/',
  ])('the bundles that serve endpoints start without %s', (unwanted) => {
    const started = bundles.filter(({ name }) => !['account', 'probe', 'reference'].includes(name));
    expect(started.every(({ startInputs }) => startInputs.length > 100)).toBe(true);
    expect(started.flatMap(({ startInputs }) => startInputs.filter((input) => input.includes(unwanted)))).toEqual([]);
  });

  test.each([
    'adapters/s3/cloudfront-urls',
    'node_modules/@aws-sdk/cloudfront-signer/',
  ])('the api bundle has %s and starts without it, because a license check does not need it', (late) => {
    expect(inputsWith(late, ['api'])).not.toEqual([]);
    const api = bundles.find(({ name }) => name === 'api');
    expect(api?.startInputs.filter((input) => input.includes(late))).toEqual([]);
  });

  test.each([
    'node_modules/zod/v4/classic/from-json-schema',
    'node_modules/zod/v4/locales/ko',
  ])('the bundles without MCP, whose package needs all of zod, start without %s', (unwanted) => {
    const started = bundles.filter(({ name }) => !['reference', 'mcp', 'design', 'shop'].includes(name));
    expect(started.flatMap(({ startInputs }) => startInputs.filter((input) => input.includes(unwanted)))).toEqual([]);
  });

  test('the probe starts with only its own files and metric names, and loads the reader of secrets if it has a key', () => {
    const probe = bundles.find(({ name }) => name === 'probe');
    const started = probe?.startInputs ?? [];
    expect(started.length).toBeGreaterThan(3);
    expect(started.filter((input) => /^(?:adapters|application|domain|node_modules|ports)\//.test(input))).toEqual([
      'adapters/lambda-events/deployment.ts',
    ]);
    expect(probe?.startBytes).toBeLessThan(10_000);
    expect(inputsWith('node_modules/@aws-sdk/client-secrets-manager', ['probe'])).not.toEqual([]);
    expect(inputsWith('adapters/host/', ['probe'])).toEqual([]);
  });

  test('a bundle that can’t start names the missing variables', async () => {
    const start = run(
      process.execPath,
      ['--input-type=module', '-e', `await import('${bundleOf('api', folder)}/index.mjs')`],
      {
        env: { DATA_DIR: folder, STORE: 'memory', OBJECTS: 'memory', API_URL: 'https://api.example.com' },
      },
    );
    await expect(start).rejects.toThrow(/DESIGN_URL, APP_URL, ACCOUNT_URL must be set/);
  });
});
