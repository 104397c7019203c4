import { beforeAll, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { aDraft, keyOfCapture } from '../../support/screen-builders.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';

const SLUG = 'checkout-suite';

/** Thirty screens of a flow of the app `lecture`, which no other suite uses. */
const drafts = Array.from({ length: 30 }, (_, n) =>
  aDraft({
    key: keyOfCapture(`suite ${n}`),
    title: n === 7 ? '결제수단 선택' : `Step ${n + 1}`,
    url: `https://lecture.example.com/checkout/${n}`,
    app: 'lecture',
    flow: { slug: SLUG, name: 'Checkout' },
    step: n + 1,
    viewport: n % 2 === 0 ? 'mobile' : 'desktop',
    kind: 'checkout',
    patterns: n % 3 === 0 ? ['form', 'tabs'] : ['form'],
    components: ['button'],
    text: `Pay now ${n % 10}`,
  }),
);

export const gallerySuite = (mount: () => Mount): void => {
  const ask = (path: string) => get(mount(), `/api/v1/${path}`);
  const search = (query: string) => ask(`screens?app=lecture&${query}`);
  const totalOf = async (query: string) => (await search(query)).body.meta.total;

  beforeAll(async () => {
    const editor = mount().service.get('galleryEditor');
    await editor.save(grantPermit(), drafts);
    await editor.recount(grantPermit());
  });

  test('the list of screens needs no credential and pages in whole rows, newest first', async () => {
    const { status, body } = await search('cols=5');
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({
      current_page: 1,
      last_page: 2,
      per_page: 25,
      total: 30,
      from: 1,
      to: 25,
      cols: 5,
    });
    const ids = body.data.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a: number, b: number) => b - a));
    expect(body.data[0]).toMatchObject({ title: 'Step 30', html_url: `${mount().urls.design}/screens/${ids[0]}` });
    const next = await get(mount(), body.links.next.slice(mount().urls.design.length));
    expect(next.body.meta).toMatchObject({ current_page: 2, from: 26, to: 30, cols: 5, total: 30 });
    expect(next.body.data).toHaveLength(5);
  });

  test.each<[string, number]>([
    ['viewport=mobile', 15],
    ['viewport=mobile&patterns=tabs', 5],
    ['patterns=form,tabs', 10],
    ['components=button', 30],
    ['kind=checkout', 30],
    [`flow=${SLUG}`, 30],
    ['q=pay%207', 4],
    ['q=step', 29],
    [`q=${encodeURIComponent('제수')}`, 1],
    ['q=lecture.example.com', 30],
    ['platform=web&lang=en&mode=light', 30],
  ])('the filter %s finds %d screens', async (query, total) => {
    expect(await totalOf(query)).toBe(total);
  });

  test.each([
    'kind=unknown',
    'patterns=form,unknown',
    'components=No%20Such',
    'flow=unknown',
    'q=absent',
    'lang=ko',
  ])('the filter %s finds no screen', async (query) => {
    const { status, body } = await search(query);
    expect([status, body.data, body.meta.total]).toEqual([200, [], 0]);
  });

  test('an empty filter and unknown parameters are ignored', async () => {
    expect(await totalOf('viewport=&q=&kind=&patterns=&other=1')).toBe(30);
  });

  test.each([
    'viewport=phone',
    'lang=fr',
    'mode=blue',
    'platform=beos',
    'sort=id',
    'app=none',
    'cols=9',
    'cols=0',
    'page=0',
    'page=x',
    `patterns=${Array.from({ length: 21 }, (_, n) => `p${n}`).join(',')}`,
    `q=${'x'.repeat(201)}`,
  ])('the query screens?%s is refused with the name of its parameter', async (query) => {
    const { status, body } = await ask(`screens?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([query.slice(0, query.indexOf('='))]);
  });

  test('a screen has its card and its details', async () => {
    const [card] = (await search('sort=oldest')).body.data;
    const { status, body } = await ask(`screens/${card.id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...card, text: 'Pay now 0', fonts: ['Inter'], page: null, http_status: 200 });
    expect([body.data.login_stage, body.data.saved_state]).toEqual([true, null]);
    expect(body.data.image.url).toBe(`${mount().urls.design}/media/${body.data.image.sha256}.png`);
    expect(body.data.thumbnail.url).toMatch(/\.jpg$/);
  });

  test.each([
    'screens/999999',
    'screens/0',
    'screens/x',
    'apps/8',
    'apps/0',
    'apps/x',
  ])('the path %s is 404', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBe(404);
    expect(body.message).toMatch(/^There is no such (screen|app)\./);
  });

  test('an app has its flows with the first screen of each, by step', async () => {
    const { body } = await ask('apps/5');
    expect(body.data).toMatchObject({ id: 5, slug: 'lecture', name: 'Lectures', screens: 30 });
    const flow = body.data.flows.find(({ slug }: { slug: string }) => slug === SLUG);
    expect(flow).toMatchObject({ name: 'Checkout', total: 30 });
    expect(flow.screens.map(({ step }: { step: number }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test('an app without collected screens has no flows', async () => {
    expect((await ask('apps/7')).body.data).toEqual({ id: 7, slug: 'design', name: 'Design', screens: 0, flows: [] });
  });

  test('the taxonomy counts the screens of each term, color and font', async () => {
    const { body } = await ask('taxonomy');
    const checkout = body.data.page_types.find(({ key }: { key: string }) => key === 'checkout');
    expect(checkout).toEqual({ key: 'checkout', name: { en: 'Checkout', ko: '결제' }, screens: 30 });
    expect(body.data.colors[0]).toMatchObject({ key: 'blue', hex: '#2563eb' });
    expect(body.data.fonts[0]).toMatchObject({ name: 'Inter' });
    expect((await ask('patterns')).body.data).toEqual(body.data.patterns);
  });
};
