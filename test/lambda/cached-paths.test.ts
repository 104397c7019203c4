import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cachedPathsOf } from '../../infra/front/cached-paths.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { aBuyer } from '../surface/buyers.ts';
import { LINEAGE } from '../surface/good-requests.ts';
import { NOTES, openShop, TOOL } from '../surface/shop.ts';
import { type LambdaMount, openEmbeddedLambda } from './lambda-mount.ts';

let mount: LambdaMount;
let key: string;
beforeAll(async () => {
  mount = await openEmbeddedLambda({ corsOrigins: ['https://shop.example.com'] });
  await openShop(mount.service);
  ({ key } = await aBuyer(mount.service));
});
afterAll(() => mount.close());

const patternsOf = (host: Host, path: string) =>
  cachedPathsOf(host).filter(({ pattern }) =>
    new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(path),
  );

const PUBLIC: readonly [Host, string][] = [
  ['api', '/api/public/disclosure'],
  ['api', '/api/lineages'],
  ['api', `/api/lineages/${LINEAGE}`],
  ['api', '/api/downloads/pipeline'],
  ['api', '/.well-known/jwks.json'],
  ['api', '/.well-known/oauth-protected-resource'],
  ['api', '/.well-known/oauth-protected-resource/api/mcp'],
  ['api', '/docs/swagger-ui.css'],
  ['app', `/distribution/v1/products/${NOTES}/appcast.xml`],
  ['account', '/.well-known/oauth-authorization-server'],
  ['design', '/api/v1/taxonomy'],
  ['design', '/api/v1/patterns'],
  ['design', '/skill/SKILL.md'],
];

const kept = (answer: Response): boolean => /^public, max-age=[1-9]/.test(answer.headers.get('cache-control') ?? '');

const variesBy = (answer: Response): string[] =>
  (answer.headers.get('vary') ?? '').split(', ').filter((name) => name !== '');

describe('the answers that CloudFront keeps', () => {
  test.each(
    PUBLIC,
  )('the host %s tells every cache to keep %s, and CloudFront’s key has all that it varies by', async (...asked) => {
    const [host, path] = asked;
    for (const headers of [{}, { Origin: 'https://shop.example.com', 'Accept-Language': 'ko' }]) {
      const answer = await fetch(mount.urls[host] + path, { headers });
      expect([answer.status, kept(answer)], String(answer.headers.get('cache-control'))).toEqual([200, true]);
      const [found, ...others] = patternsOf(host, path);
      expect(others).toEqual([]);
      expect(found?.headers).toEqual(expect.arrayContaining(variesBy(answer)));
    }
  });

  test.each(['/assets/'])('the pages of the account and design hosts load kept files of %s', async (folder) => {
    for (const [host, page] of [
      ['account', '/sign-in'],
      ['design', '/'],
    ] as const) {
      const html = await (await fetch(mount.urls[host] + page)).text();
      const path = new RegExp(`${folder}[\\w.-]+`).exec(html)?.[0] ?? '';
      const answer = await fetch(mount.urls[host] + path);
      expect([answer.status, kept(answer), patternsOf(host, path).length], path).toEqual([200, true, 1]);
    }
  });

  test('an answer to somebody with a key asks to be kept by no shared cache', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    for (const [host, path] of [
      ['api', '/api/library'],
      ['api', `/api/products/${TOOL}`],
      ['app', `/distribution/v1/products/${NOTES}/appcast.xml`],
    ] as const) {
      const answer = await fetch(mount.urls[host] + path, { headers });
      expect([answer.status, answer.headers.get('cache-control')], path).toEqual([
        200,
        expect.stringMatching(/^private, no-/),
      ]);
    }
  });
});
