import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { installRecord } from '../../../domain/devices/usage.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { newSession } from '../../../domain/sign-in/session.ts';
import { newTicket } from '../../../domain/support/ticket.ts';
import { aDeviceKey, anAccount } from '../../support/account-builders.ts';
import { aDevice, anApiKey, anEntitlement, anOrder, aProduct, NOW } from '../../support/builders.ts';
import { BUYERS } from '../../support/buyers.ts';
import { aStore } from '../../support/memory-store.ts';

const permit = grantPermit();

const REPORT = {
  kind: 'general',
  summary: 'It stops',
  detail: '',
  app_bundle_id: null,
  app_version: null,
  macos_version: null,
  device_id: null,
} as const;

const aShop = async () => {
  const store = await aStore(BUYERS, {
    accounts: [anAccount({ password_hash: 'plain:secret' }), anAccount({ id: 2 })],
    products: [aProduct({ id: 1, slug: 'memo', device_limit: 2 }), aProduct({ id: 2 })],
    entitlements: [anEntitlement({ access_expires_at: addDays(NOW, 9) }), anEntitlement({ id: 2, revoked_at: NOW })],
    keys: [
      anApiKey({ id: 1, last_used_at: addDays(NOW, -3) }),
      aDeviceKey({ id: 2 }),
      anApiKey({ id: 3, expires_at: NOW }),
    ],
    orders: [1, 2, 3, 4].map((id) => anOrder({ id, ordered_at: addDays(NOW, id - 9) })),
  });
  const { slots } = await store.get('devices').find(1, 1, 'laptop');
  await store.get('devices').activate(permit, 1, 1, aDevice({ device_id: 'laptop' }), slots);
  for (const [id, version] of [
    [1, '1.0.0'],
    [2, '1.1.0'],
  ] as const) {
    const report = {
      product_id: 1,
      version,
      bundle_id: null,
      installed_at: NOW,
      release_id: null,
      artifact_sha256: null,
    };
    await store.get('installs').record(permit, installRecord(report, { id, account_id: 1, key_id: 1 }, NOW));
  }
  const opened = { id: 1, hash: 'a'.repeat(64), account_id: 1, method: 'password', browser: 'Firefox' } as const;
  await store.get('sessions').add(newSession(opened, addDays(NOW, -1)));
  const open = async (id: number, account_id: number) => {
    const ticket = newTicket(REPORT, { id, account_id }, NOW);
    await store.get('tickets').open(permit, ticket, String(id), { opening: undefined, version: null }, undefined);
  };
  for (const [id, account_id] of [
    [1, 1],
    [2, 1],
    [3, 2],
  ] as const)
    await open(id, account_id);
  await store.get('tickets').mark(permit, 1, 'closed');
  return store;
};

describe('an account on one page', () => {
  test('an account page shows current totals and the latest use of any kind', async () => {
    const store = await aShop();
    expect(await store.get('showAccount')('1')).toMatchObject({
      value: {
        email: 'buyer-1@example.com',
        has_password: true,
        last_used_at: addDays(NOW, -1),
        counts: { keys: 2, browsers: 1, apps: 0, devices: 1, grants: 1, orders: 4, open_tickets: 1 },
        products: [
          {
            slug: 'memo',
            state: 'direct',
            access_expires_at: addDays(NOW, 9),
            devices: 1,
            device_limit: 2,
            installed: { version: '1.1.0', installed_at: NOW },
          },
        ],
        newest_orders: [{ id: 4 }, { id: 3 }, { id: 2 }],
        newest_tickets: [{ id: 2, summary: 'It stops' }],
      },
    });
  });

  test('each of many open tickets counts', async () => {
    const store = await aShop();
    for (let id = 100; id < 210; id++) {
      const ticket = newTicket(REPORT, { id, account_id: 2 }, NOW);
      await store.get('tickets').open(permit, ticket, String(id), { opening: undefined, version: null }, undefined);
    }
    expect(await store.get('showAccount')('2')).toMatchObject({
      value: { counts: { open_tickets: 111 }, newest_tickets: [{ id: 209 }, { id: 208 }, { id: 207 }] },
    });
  });

  test('an account page reads only the newest 200 tickets and shows their subjects as plain text', async () => {
    const store = await aShop();
    for (let id = 100; id < 310; id++) {
      const ticket = newTicket({ ...REPORT, summary: `\u202eexe ${id}` }, { id, account_id: 2 }, NOW);
      await store.get('tickets').open(permit, ticket, String(id), { opening: undefined, version: null }, undefined);
    }
    expect(await store.get('showAccount')('2')).toMatchObject({
      value: {
        counts: { open_tickets: 200 },
        newest_tickets: [{ summary: 'exe 309' }, { summary: 'exe 308' }, { summary: 'exe 307' }],
      },
    });
  });

  test('an account page contains no password hash', async () => {
    const store = await aShop();
    expect(JSON.stringify(await store.get('showAccount')('1'))).not.toContain('plain:secret');
  });

  test('an account is also found by its email address, in any case', async () => {
    const store = await aShop();
    expect(await store.get('showAccount')('Buyer-2@Example.com')).toMatchObject({ value: { id: 2 } });
  });

  test.each(['9', 'nobody@example.com'])('%s is refused if no account has it', async (named) => {
    const store = await aShop();
    expect(await store.get('showAccount')(named)).toMatchObject({
      code: 'account_not_found',
      message: `There is no account ${named}; "account list" lists them.`,
    });
  });
});
