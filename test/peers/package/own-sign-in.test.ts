import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PageAnswer, PageBrowser } from '../../support/page-browser.ts';
import { type RunningExample, startExample } from './support.ts';

const FREE_PORTS = {
  API_PORT: '0',
  APP_PORT: '0',
  DESIGN_PORT: '0',
  ACCOUNT_PORT: '0',
  SHOP_PORT: '0',
  LOG_LEVEL: 'error',
};
const SHOP_ALONE = { ...FREE_PORTS, PASSWORD_SIGN_IN: 'off' };

/** The path of a URL on this server. */
const pathOn = (server: string, { location }: PageAnswer): string => {
  if (!location?.startsWith(`${server}/`)) throw new Error(`The way leads to ${location}, and not to ${server}.`);
  return location.slice(server.length);
};

describe('a shop whose own login signs in to the account host', () => {
  let example: RunningExample<{ shop: string; account: string }>;

  beforeAll(async () => {
    example = await startExample('own-sign-in/main.ts', SHOP_ALONE);
  });

  afterAll(() => example.stop());

  /** A visitor with a browser for each of the two servers, who has reached the shop's page. */
  const aVisitorAtShop = async (next: string) => {
    const [shop, account] = [new PageBrowser(example.first.shop), new PageBrowser(example.first.account)];
    const way = await account.get(`/sign-in/upstream?next=${next}`);
    return { shop, account, asked: pathOn(example.first.shop, way) };
  };

  /** Signs in at the shop as a customer, and returns to the account host. */
  const signIn = async (customer: number, next: string) => {
    const { shop, account, asked } = await aVisitorAtShop(next);
    const { search } = new URL(asked, example.first.shop);
    await shop.get(`/login/${customer}${search}`);
    const callback = pathOn(example.first.account, await shop.get(asked));
    return { account, callback, back: await account.get(callback) };
  };

  test('the sign-in page has the shop’s button and no password field, and leads a visitor to the shop', async () => {
    const { shop, account, asked } = await aVisitorAtShop('/library');
    const { body } = await account.get('/sign-in');
    expect(body).toContain('Sign in with Example Shop');
    expect(body).not.toContain('type="password"');
    expect((await shop.get(asked)).body).toContain('href="/login/7?state=');
  });

  test('a customer of the shop sees what the account with the same address owns', async () => {
    const { account, back } = await signIn(7, '/library');
    expect(back).toMatchObject({ status: 303, location: '/library' });
    expect((await account.get('/library')).body).toContain('Hashcheck');
    expect((await account.get('/security')).body).toContain('demo@example.com');
  });

  test('a customer without an account gets one', async () => {
    const { account } = await signIn(8, '/library');
    expect((await account.get('/library')).body).not.toContain('Hashcheck');
    expect((await account.get('/security')).body).toContain('new@example.com');
  });

  test('neither another browser’s redirect nor a changed one signs in', async () => {
    const { callback } = await signIn(7, '/library');
    const { account: other } = await aVisitorAtShop('/library');
    expect(await other.get(callback)).toMatchObject({ status: 403 });
    const { account, asked } = await aVisitorAtShop('/library');
    const state = new URL(asked, example.first.shop).searchParams.get('state');
    const forged = Buffer.from(JSON.stringify({ state, id: 7, email: 'demo@example.com', name: 'x' }));
    const signature = callback.split('.')[1];
    const back = await account.get(`/sign-in/callback?answer=${forged.toString('base64url')}.${signature}`);
    expect(back.status).toBe(403);
    expect(account.jar.has('account-session')).toBe(false);
  });
});
