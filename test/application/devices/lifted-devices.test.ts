import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { LIFTED_AT_ONCE } from '../../../domain/policy/client-policy.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { EVERY_ENTRY } from '../../support/audited.ts';
import { aProduct } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';
import { importInto } from '../../support/store-folder.ts';

const POLICY = { min_client_version: '1.0.0', ttl_days: 7, recheck_hours: 12 };

let service: Service;
let warned: string[];

const load = async (policy: object) =>
  done(
    await importInto(
      service,
      '/nowhere',
      { policy },
      {
        warned: (all) => {
          warned = all.map(({ path, message }) => `${path}: ${message}`);
        },
      },
    ),
  ).policy;
const inForce = async () => (await service.get('policies').read()).policy;
const withdraw = async (device_id: string) =>
  done(
    await service.get('withdrawDevice')(grantPermit(), { account_id: null, product: 'memo', device_id, reason: null }),
  );
const restored = async () => {
  const filter = { ...EVERY_ENTRY, action: 'device.restored' };
  return (await Array.fromAsync(service.get('auditLog').list(filter))).map(({ subject_id }) => subject_id);
};

beforeEach(async () => {
  warned = [];
  service = memoryService();
  await put(service, { products: [aProduct({ id: 1, slug: 'memo' })] });
  await load(POLICY);
  await withdraw('laptop');
});

describe('the withdrawn devices of a document’s policy', () => {
  test('a document without a list keeps the withdrawn devices and changes nothing else', async () => {
    expect(await load(POLICY)).toEqual({ created: 0, updated: 0, unchanged: 1 });
    expect(await load({ ...POLICY, ttl_days: 9 })).toMatchObject({ updated: 1 });
    expect(await inForce()).toMatchObject({ ttl_days: 9, revoked: [{ product_id: 1, device_id: 'laptop' }] });
    expect([warned, await restored()]).toEqual([[], []]);
  });

  test('an empty list restores every device, names each in a warning and logs each', async () => {
    await withdraw('phone');
    expect(await load({ ...POLICY, revoked: [] })).toMatchObject({ updated: 1 });
    expect(await inForce()).toMatchObject({ revoked: [] });
    expect(warned).toEqual([
      'policy.revoked: leaves out device laptop, which was withdrawn and may run memo again; "device withdraw" withdraws it again',
      'policy.revoked: leaves out device phone, which was withdrawn and may run memo again; "device withdraw" withdraws it again',
    ]);
    expect((await restored()).toSorted()).toEqual(['laptop', 'phone']);
  });

  test('a list that restores more devices than a transaction holds restores and logs all of them', async () => {
    const revoked = Array.from({ length: 2 * LIFTED_AT_ONCE + 1 }, (_, n) => ({ product_id: 1, device_id: `d${n}` }));
    await load({ ...POLICY, revoked });
    expect(await restored()).toEqual(['laptop']);
    expect(await load({ ...POLICY, revoked: revoked.slice(0, 1), ttl_days: 9 })).toMatchObject({ updated: 1 });
    expect(await inForce()).toMatchObject({ ttl_days: 9, revoked: revoked.slice(0, 1) });
    expect(await restored()).toHaveLength(1 + 2 * LIFTED_AT_ONCE);
  });
});
