import { beforeAll, describe, expect, test } from 'vitest';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { anOrder } from '../../support/builders.ts';
import { aBuyer, aStranger, putOrder } from '../buyers.ts';
import { type Caller, callerOf } from '../callers.ts';
import { get, send } from '../client.ts';
import { ORDER, pathOf } from '../good-requests.ts';
import type { Mount } from '../mount.ts';
import { all, type Choice, callEndpoint } from '../requests.ts';
import { SKILL, TOOL } from '../shop.ts';

/** The feeds for updaters have their own suite, because their answers depend on a product with a feed. */
const isFeed = ({ output }: EndpointSpec): boolean => output.kind === 'json' && output.otherwise !== undefined;
const JSON_OR_CSS = allEndpoints.filter(
  (endpoint) => (endpoint.output.kind === 'json' && !isFeed(endpoint)) || endpoint.output.kind === 'css',
);
const REVALIDATED = JSON_OR_CSS.filter(({ cache }) => cache === 'revalidate');
const PUBLIC = JSON_OR_CSS.filter(({ cache }) => typeof cache === 'object');
const NOT_KEPT = JSON_OR_CSS.filter(({ cache }) => cache === undefined);
const LOCALIZED = allEndpoints.filter(({ localized, method }) => localized && method === 'GET');
/** The GET endpoints that answer an owner with 200. The appcast and its downloads have their own suites. */
const READ = allEndpoints.filter(
  (endpoint) =>
    endpoint.method === 'GET' &&
    endpoint.id !== 'downloadBundle' &&
    !isFeed(endpoint) &&
    endpoint.output.kind !== 'xml' &&
    endpoint.output.kind !== 'redirect',
);

/** Tests the caching headers and the language of a response. */
export const cachingSuite = (mount: () => Mount, choice: Choice = all): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service));
  });

  describe('a cacheable response', () => {
    test('only the catalog, policy and document endpoints send a response for revalidation', () => {
      expect(REVALIDATED.map(({ id }) => id).sort()).toEqual([
        'getClientConfig',
        'getDocument',
        'getManifest',
        'getProduct',
        'getProductContentCss',
        'getProductDetail',
        'listBundles',
        'listContentAssets',
        'listProducts',
        'listReleases',
      ]);
    });

    test.each(choice(REVALIDATED))('$path has a strong ETag, and a request with that ETag is 304', async (endpoint) => {
      const caller = await callerOf(mount().service, endpoint);
      const path = pathOf(endpoint, caller.product);
      const first = await callEndpoint(mount(), endpoint, caller);
      const etag = first.headers.get('etag') as string;
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await get(mount(), path, caller.key, { 'If-None-Match': tag });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      }
      const other = await get(mount(), path, caller.key, { 'If-None-Match': '"x", W/"y"' });
      expect([other.status, other.text]).toEqual([200, first.text]);
    });

    test.each(
      choice(REVALIDATED),
    )('$path answers a refused request with 401 and no ETag, even for If-None-Match: *', async (endpoint) => {
      const reply = await get(mount(), pathOf(endpoint, TOOL), 'nonsense', { 'If-None-Match': '*' });
      expect([reply.status, reply.headers.get('etag')]).toEqual([401, null]);
    });

    test.each(
      choice(PUBLIC),
    )('$path is publicly cacheable, and a request with its ETag is 304 with any key', async (endpoint) => {
      const first = await callEndpoint(mount(), endpoint, {});
      expect(first.status).toBe(200);
      expect(first.headers.get('cache-control')).toMatch(/^public, max-age=[1-9]\d*$/);
      expect(first.headers.get('vary') ?? '').not.toContain('Authorization');
      const etag = first.headers.get('etag') as string;
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      for (const sent of [undefined, key, 'nonsense']) {
        const again = await get(mount(), pathOf(endpoint, TOOL), sent, { 'If-None-Match': etag });
        expect([again.status, again.text]).toEqual([304, '']);
      }
    });

    test('two accounts that see different products get different ETags', async () => {
      const other = await aBuyer(mount().service, { product_id: SKILL });
      const tag = async (with_: string) => (await get(mount(), '/api/products', with_)).headers.get('etag');
      expect(await tag(key)).not.toBe(await tag(other.key));
    });
  });

  test.each(choice(NOT_KEPT))('$method $path forbids storing its response', async (endpoint) => {
    const caller = await callerOf(mount().service, endpoint, SKILL);
    const reply = await callEndpoint(mount(), endpoint, caller);
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    expect(reply.headers.get('etag')).toBeNull();
  });

  /** A caller for whom the endpoint succeeds. A buyer has an order. */
  const readerOf = async (endpoint: EndpointSpec): Promise<Caller> => {
    const { service } = mount();
    if (endpoint.access.credential === 'agent') return callerOf(service, endpoint);
    const product = ['getContentAsset', 'showTeam'].includes(endpoint.id) ? TOOL : SKILL;
    const buyer = await aBuyer(service, { product_id: product });
    await putOrder(service, anOrder({ id: ORDER, account_id: buyer.account }));
    return { key: buyer.key, product };
  };

  test.each(choice(READ))('HEAD of $path has the headers of GET and no body', async (endpoint) => {
    const caller = await readerOf(endpoint);
    const whole = await callEndpoint(mount(), endpoint, caller);
    const head = await send(mount(), 'HEAD', pathOf(endpoint, caller.product), { key: caller.key });
    expect([head.status, head.text]).toEqual([200, '']);
    const shown = ['content-type', 'cache-control', 'vary', 'x-ratelimit-limit', 'etag'];
    if (!['planInstall', 'getUpdate'].includes(endpoint.id)) shown.push('content-length');
    for (const name of shown) expect(head.headers.get(name), name).toBe(whole.headers.get(name));
  });

  describe('the language of a response', () => {
    const nameIn = async (language: string | undefined) => {
      const headers = language === undefined ? undefined : { 'Accept-Language': language };
      return (await get(mount(), `/api/products/${TOOL}`, key, headers)).body.product.name;
    };

    test.each([
      ['ko', '도구'],
      ['ko-KR', '도구'],
      ['KO-kr,ko;q=0.9,en;q=0.8', '도구'],
      ['fr, ko;q=0.5', '도구'],
      ['en;q=0.4, ko;q=0.5', '도구'],
      ['en', 'Tool'],
      ['en-GB', 'Tool'],
      ['en, ko', 'Tool'],
      ['ko;q=0, en', 'Tool'],
      ['fr', 'Tool'],
      ['*', 'Tool'],
      ['', 'Tool'],
      [';;q=,,', 'Tool'],
      [undefined, 'Tool'],
    ])('a request with Accept-Language %s gets the name %s', async (language, name) => {
      expect(await nameIn(language)).toBe(name);
    });

    test.each(choice(LOCALIZED))('$path names Accept-Language in Vary', async (endpoint) => {
      const vary = (await callEndpoint(mount(), endpoint, { key })).headers.get('vary');
      expect(vary).toContain('Accept-Language');
    });

    test.each(
      choice(LOCALIZED.filter(({ localized }) => localized !== 'described')),
    )('$path names the language of its text in Content-Language, and none for texts of the shop', async (endpoint) => {
      const caller = await readerOf(endpoint);
      for (const [asked, worded] of [
        ['ko', 'ko'],
        ['fr;q=0.9, ko-KR;q=0.5', 'ko'],
        ['en', 'en'],
        ['fr', 'en'],
      ] as const) {
        const language = endpoint.localized === 'worded' ? worded : null;
        const reply = await callEndpoint(mount(), endpoint, { ...caller, headers: { 'Accept-Language': asked } });
        expect([reply.status, reply.headers.get('content-language')]).toEqual([200, language]);
      }
    });

    test.each([
      [`/api/products/${SKILL}`, 'en'],
      [`/api/products/${TOOL}/detail`, 'ko'],
      ['/api/products', 'ko, en'],
    ])('the response of %s names the languages of its products’ descriptions: %s', async (path, languages) => {
      const { body, headers } = await get(mount(), path, key, { 'Accept-Language': 'ko' });
      const described = [body.product, ...(body.products ?? [])].flatMap((product) => product?.content_locale ?? []);
      expect([[...new Set(described)].join(', '), headers.get('content-language')]).toEqual([languages, languages]);
    });

    test('refusals that a buyer reads are in the requested language, and those for developers in English', async () => {
      const stranger = (await aStranger(mount().service)).key;
      const late = (await aBuyer(mount().service, { updates_supported_until: '2025-05-01T00:00:00.000Z' })).key;
      const install = `/api/products/${TOOL}/install?platform=linux-amd64`;
      for (const [path, caller, status] of [
        [install, stranger, 403],
        [install, late, 404],
        [`${install}&release=12`, late, 403],
        [`/api/products/${TOOL}/bundle?platform=linux-amd64`, late, 403],
      ] as const) {
        for (const [asked, script] of [
          ['ko', /[가-힣]/],
          ['en', /^[ -~’]+$/],
        ] as const) {
          const reply = await get(mount(), path, caller, { 'Accept-Language': asked });
          expect([path, reply.status, reply.headers.get('content-language')]).toEqual([path, status, asked]);
          expect(reply.body.message).toMatch(script);
        }
      }
      const invalid = await get(mount(), `/api/products/${TOOL}/install`, key, { 'Accept-Language': 'ko' });
      expect([invalid.status, invalid.headers.get('content-language')]).toEqual([422, null]);
      expect(invalid.body.message).toMatch(/^The platform/);
    });

    test('a refusal in English and a response without texts have no Content-Language', async () => {
      const asked = { 'Accept-Language': 'ko' };
      expect((await get(mount(), '/api/library', undefined, asked)).headers.get('content-language')).toBeNull();
      const css = await get(mount(), '/api/product-content.css', key, asked);
      expect([css.status, css.headers.get('content-language')]).toEqual([200, null]);
    });

    test('two languages of one product have different ETags', async () => {
      const tag = async (language: string) =>
        (await get(mount(), `/api/products/${TOOL}`, key, { 'Accept-Language': language })).headers.get('etag');
      expect(await tag('ko')).not.toBe(await tag('en'));
    });
  });
};
