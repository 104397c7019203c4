import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { anAccount } from '../../support/account-builders.ts';
import { aDevice, anEntitlement, aProduct, aSubscription, NOW } from '../../support/builders.ts';
import { type Contents, put } from '../../support/contents.ts';
import { memoryService } from '../../support/service.ts';

const EDITIONS = [
  { name: 'basic', features: ['save'] },
  { name: 'pro', features: ['export'] },
];

/** The accounts of an export, each with its files as `device: edition features`. */
const exported = async (contents: Contents, devices: readonly (readonly [account: number, device: string])[]) => {
  const service = memoryService();
  await put(service, { accounts: [anAccount({ id: 1 }), anAccount({ id: 2 })], ...contents });
  for (const [account, device_id] of devices) {
    const { slots } = await service.get('devices').find(account, 1, device_id);
    await service.get('devices').activate(grantPermit(), account, 1, aDevice({ device_id }), slots);
  }
  const all = await Array.fromAsync(service.get('exportOffline')(grantPermit(), { to: 'a folder' }));
  return all.map(({ account_id, files, without_device }) => ({
    account_id,
    files: files.map(({ device_id, file: { token } }) => {
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(claims).toMatchObject({ device_id, exp: 253_370_764_800, offline: true, perpetual: true });
      return [device_id, claims.edition ?? [], claims.features ?? []].flat().join(' ');
    }),
    without_device,
  }));
};

describe('the export of perpetual offline files', () => {
  test('perpetual files contain only the perpetual part of a license, for as many devices', async () => {
    const month = { starts_at: NOW, ends_at: addDays(NOW, 30), product_ids: [1], edition: 'pro' };
    const products = [aProduct({ id: 1, device_limit: 1, editions: EDITIONS })];
    const basic = anEntitlement({ id: 1, product_id: 1, edition: 'basic' });
    const two = [
      [1, 'laptop'],
      [1, 'tower'],
    ] as const;
    const files = await exported({ products, entitlements: [basic], subscriptions: [aSubscription(month)] }, two);
    expect(files).toEqual([{ account_id: 1, files: ['laptop basic save'], without_device: [] }]);
    const kept = await exported({ products, entitlements: [basic] }, two);
    expect(kept).toMatchObject([{ files: ['laptop basic save', 'tower basic save'] }]);
  });

  test('perpetual files are for devices of team members, and not for sessions', async () => {
    const owner = anEntitlement({ id: 1, product_id: 1, source_quantity: 2 });
    const memberships = [{ account_id: 1, product_id: 1, role: 'member' as const }];
    const accounts = [anAccount({ id: 1 }), anAccount({ id: 2, memberships })];
    const team = { accounts, products: [aProduct({ id: 1, slots: 'persons' })], entitlements: [owner] };
    expect(await exported(team, [[2, 'phone']])).toMatchObject([
      { account_id: 1, files: [], without_device: ['product-1'] },
      { account_id: 2, files: ['phone'], without_device: [] },
    ]);
    const floating = { products: [aProduct({ id: 1, slots: 'sessions' })], entitlements: [owner] };
    expect(await exported(floating, [])).toMatchObject([{ account_id: 1, files: [], without_device: ['product-1'] }]);
  });

  test('perpetual files are not for suspended accounts, blocked devices and licenses that end', async () => {
    const products = [aProduct({ id: 1, slug: 'tool' })];
    const entitlements = [anEntitlement({ id: 1 })];
    const devices = [[1, 'laptop']] as const;
    const accounts = [anAccount({ id: 1, suspended_at: NOW })];
    expect(await exported({ products, entitlements, accounts }, devices)).toEqual([]);
    const policy = { revoked: [{ product_id: 1, device_id: 'laptop' }] };
    const blocked = await exported({ products, entitlements, policy }, devices);
    expect(blocked).toMatchObject([{ files: [], without_device: ['tool'] }]);
    const ends = [anEntitlement({ id: 1, access_expires_at: addDays(NOW, 9) })];
    expect(await exported({ products, entitlements: ends }, devices)).toEqual([]);
  });
});
