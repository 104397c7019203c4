import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { ClientPolicy } from '../../../domain/policy/client-policy.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { readPolicyFile } from '../../../runtimes/files/load-document.ts';
import { aProduct } from '../../support/builders.ts';
import { memoryService } from '../../support/service.ts';
import { addFiles, aFolder, faultLines, importInto } from '../../support/store-folder.ts';

const POLICY: ClientPolicy = { min_client_version: '1.0.0', revoked: [], ttl_days: 7, recheck_hours: 12 };

let folder: string;
let service: Service;

beforeEach(async () => {
  folder = await aFolder();
  service = memoryService();
  for (const id of [1, 2])
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: aProduct({ id }) });
});

const setFrom = async (json: unknown) => {
  await addFiles(folder, { 'policy.json': JSON.stringify(json) });
  const read = await readPolicyFile(`${folder}/policy.json`);
  return read.ok ? service.get('setPolicy')(grantPermit(), read.value) : read;
};
const inForce = async () => (await service.get('catalogs').current()).policy;
const importPolicy = async (policy: object) => {
  const imported = await importInto(service, folder, { policy });
  if (!imported.ok) throw new Error(imported.message);
  return imported.value.policy;
};

describe('a policy from a file', () => {
  test('a policy file takes effect at once, and each real change makes the next version', async () => {
    expect(await setFrom(POLICY)).toMatchObject({ ok: true, value: { result: 'created', policy: { version: 1 } } });
    expect(await inForce()).toMatchObject({ ...POLICY, version: 1 });
    expect(await setFrom(POLICY)).toMatchObject({ value: { result: 'unchanged', policy: { version: 1 } } });
    expect(await setFrom({ ...POLICY, ttl_days: 8 })).toMatchObject({ value: { result: 'updated' } });
    expect(await inForce()).toMatchObject({ ttl_days: 8, version: 2 });
  });

  test('a policy file and a store document set the same policy', async () => {
    await setFrom(POLICY);
    expect(await importPolicy(POLICY)).toEqual({ created: 0, updated: 0, unchanged: 1 });
    expect(await importPolicy({ ...POLICY, recheck_hours: 1 })).toEqual({ created: 0, updated: 1, unchanged: 0 });
    expect(await inForce()).toMatchObject({ recheck_hours: 1, version: 2 });
  });

  test('an invalid policy is refused with every fault by its path and changes nothing', async () => {
    await setFrom(POLICY);
    const refused = await setFrom({
      min_client_version: 'latest',
      ttl_days: 0,
      recheck_hours: '12',
      revoked: [{ product_id: 2, device_id: '\ud800' }, { product_id: 2 }],
      colour: 'red',
    });
    expect(refused).toMatchObject({ code: 'invalid_policy', message: 'The policy has 6 faults; nothing was changed.' });
    expect(faultLines(refused)).toEqual([
      'min_client_version: must be a version such as 1.4.0',
      'ttl_days: must be at least 1',
      'recheck_hours: must be a number',
      'revoked.0.device_id: must not contain control characters or half a surrogate pair',
      'revoked.1.device_id: is missing',
      'colour: is not a known member',
    ]);
    const revoked = [9, 1, 1].map((product_id) => ({ product_id, device_id: 'a' }));
    expect(faultLines((await setFrom({ ...POLICY, revoked })) as never)).toEqual([
      'revoked.0.product_id: there is no product 9',
      'revoked.2: repeats an earlier entry',
    ]);
    expect(await inForce()).toMatchObject({ ...POLICY, version: 1 });
  });

  test.each([
    [[], ['the policy: must be an object']],
    [null, ['the policy: must be an object']],
    [{}, ['min_client_version: is missing', 'ttl_days: is missing', 'recheck_hours: is missing']],
  ])('the policy %j is refused with the faults %j', async (json, faults) => {
    expect(faultLines((await setFrom(json)) as never)).toEqual(faults);
  });

  test('a policy whose only fault is an unknown product is refused', async () => {
    const refused = await setFrom({ ...POLICY, revoked: [{ product_id: 3, device_id: 'a' }] });
    expect(faultLines(refused as never)).toEqual(['revoked.0.product_id: there is no product 3']);
    expect(await inForce()).toMatchObject({ version: 0 });
  });

  test('a policy file that is missing or malformed changes nothing', async () => {
    expect(await readPolicyFile(`${folder}/none.json`)).toMatchObject({
      code: 'unreadable_document',
      message: `${folder}/none.json does not exist; nothing was changed.`,
    });
    await addFiles(folder, { 'policy.json': '{"ttl_days": }' });
    expect(await readPolicyFile(`${folder}/policy.json`)).toMatchObject({
      code: 'malformed_json',
      message: expect.stringMatching(/line 1, column 14.*; nothing was changed\.$/),
    });
  });
});
