import { afterEach, describe, expect, test, vi } from 'vitest';
import { Spool } from '../../../../adapters/host/spool.ts';
import { csrfToken } from '../../../../adapters/web/account/csrf.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { SHOP_ROLES, type ShopRole } from '../../../../domain/access/principal.ts';
import { addMember, type Console, MEMBER, openConsole } from '../../../support/console.ts';

let shop: Console;
afterEach(async () => {
  await shop.close();
  expect(shop.faults).toEqual([]);
});

const csrf = () => csrfToken(shop.browser.jar.get('console-session') ?? '');

/** The pages and forms of members, without those of the sign-in. */
const all = () =>
  shop.paths
    .filter(([path]) => !/^\/(?:assets|sign-|setup|security|look\/preview|$)/.test(path))
    .flatMap(([path, methods]) => methods.filter((one) => one !== 'HEAD').map((method) => [method, path] as const));

const send = (method: string, path: string) => {
  const sent = path.replaceAll(/:\w+/g, '7');
  return method === 'GET' ? shop.browser.get(sent) : shop.browser.post(sent, { csrf: csrf() });
};

describe('each page and form of the console', () => {
  const AREAS: Readonly<Record<ShopRole, RegExp>> = {
    support: /^\/(?:customers|errors|search|tickets)(?!.*\/(?:rename|merge|erasure|transfer|usage))/,
    orders: /^\/(?:events|orders|sales|subscriptions)/,
    catalog: /^\/(?:look\/(?:mail|page|test)$|(?:products|releases)(?!.*\/key$))/,
    everything: /^/,
  };

  test.each(SHOP_ROLES)('a member with the role %s can open exactly the role’s pages and forms', async (role) => {
    shop = await openConsole({}, role);
    expect(all().length).toBeGreaterThan(80);
    const open: string[] = [];
    for (const [method, path] of all()) {
      if ((await send(method, path)).status !== 403) open.push(`${method} ${path}`);
    }
    expect(open).toEqual(
      all()
        .filter(([, path]) => AREAS[role].test(path))
        .map((one) => one.join(' ')),
    );
  });

  test('irreversible steps and those that grant access need a proof of identity', async () => {
    shop = await openConsole();
    const { sessions } = shop.service.parts;
    const [session] = await sessions.of(MEMBER.account_id);
    if (session) await sessions.touch({ ...session, created_at: new Date(Date.now() - 3_600_000).toISOString() });
    const asking: string[] = [];
    for (const [method, path] of all()) {
      const { status, body } = await send(method, path);
      if (status === 403 && body.includes('again=1')) asking.push(path);
    }
    const people = (await shop.browser.get('/people')).body;
    expect(people.match(/href="\/sign-in\?next=%2Fpeople&amp;again=1"/g)).toHaveLength(2);
    expect(asking.toSorted()).toEqual([
      ...['devices/:product/:device_id/block', 'devices/:product/:device_id/release', 'erasure/erase', 'keys/:key/end']
        .concat('licenses/:id/revoke', 'licenses/:id/transfer', 'lockOut', 'merge', 'rename')
        .concat('seats/:product/:person/unseat', 'suspend')
        .map((form) => `/customers/:account/${form}`),
      '/keys/create',
      '/keys/revoke',
      '/notices/save',
      '/orders/:order/refund/now',
      '/orders/:order/settle',
      ...[':account/change', ':account/link', ':account/remove', 'add', 'revoke', 'token'].map(
        (form) => `/people/${form}`,
      ),
      '/products/:product/key',
      '/releases/:product/:version/withdraw',
      ...[':webhook/change', ':webhook/delete', ':webhook/rotate', 'new/create'].map((form) => `/webhooks/${form}`),
    ]);
  });

  test('a proof leads back to its page, whatever text its path contains', async () => {
    shop = await openConsole();
    const { status, location } = await shop.browser.post('/products/%0D%0Aㄱ/key', { csrf: csrf() });
    expect([status, location?.split('?')[0]]).toEqual([303, '/products/%E3%84%B1']);
  });

  test('a file of a member whose role or session ends during the upload is refused', async () => {
    shop = await openConsole();
    const { write } = Spool.prototype;
    const during = async (change: () => Promise<unknown>) => {
      const spooled = vi.spyOn(Spool.prototype, 'write').mockImplementation(async function (this: Spool, bytes) {
        await change();
        return write.call(this, bytes);
      });
      const { status } = await shop.browser.attach('/look/logo', { csrf: csrf() }, 'a.png', Buffer.alloc(9));
      spooled.mockRestore();
      return status;
    };
    expect(await during(() => addMember(shop.service, 'support'))).toBe(403);
    await addMember(shop.service, 'everything');
    const { sessions } = shop.service.parts;
    expect(
      await during(async () => Promise.all((await sessions.of(MEMBER.account_id)).map((one) => sessions.end(one)))),
    ).toBe(303);
  });

  test('the file of a member without the permission is not read', async () => {
    shop = await openConsole({}, 'support');
    const spooled = vi.spyOn(Spool.prototype, 'write');
    for (const path of ['/products/7/picture', '/releases/7/new/publish', '/look/logo']) {
      const { status } = await shop.browser.attach(path, { csrf: csrf() }, 'a.png', Buffer.alloc(9));
      expect([path, status]).toEqual([path, 403]);
    }
    expect(spooled).not.toHaveBeenCalled();
    spooled.mockRestore();
  });
});

test('a proof on the buyers’ pages neither opens the console nor proves a member’s identity', async () => {
  shop = await openConsole();
  const { accounts, passwords, sessions } = shop.service.parts;
  const before = await accounts.get(MEMBER.account_id);
  if (!before) throw new Error('The account is gone.');
  const password = 'a long enough password';
  await accounts.revise(grantPermit(), before, { ...before, password_hash: await passwords.hash(password) }, []);
  const [session] = await sessions.of(MEMBER.account_id);
  if (session) await sessions.touch({ ...session, created_at: new Date(Date.now() - 3_600_000).toISOString() });
  const token = { name: 'x', role: 'orders', csrf: csrf() };
  expect((await shop.browser.post('/people/token', { ...token, proof: password })).status).toBe(403);
  const stranger = shop.stranger();
  expect((await stranger.get('/sign-in')).body).not.toContain('type="password"');
  expect((await stranger.post('/sign-in', { email: MEMBER.email, password })).status).toBe(405);
});
