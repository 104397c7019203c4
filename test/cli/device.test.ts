import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { newDevice } from '../../domain/devices/seat.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { checkDevices } from '../../runtimes/doctor/store.ts';
import { aDeviceKey } from '../support/account-builders.ts';
import { aDevice, aProduct, NOW } from '../support/builders.ts';
import { cli } from '../support/cli.ts';
import { aShopFolder, MEMO } from './shop.ts';

let shop: Awaited<ReturnType<typeof aShopFolder>>;
const device = (...args: string[]) => shop.run('device', ...args);
const POLICY = { min_client_version: '1.0.0', ttl_days: 7, recheck_hours: 12 };
const onMemo = ['--account', '1', '--product', 'memo'];

beforeAll(async () => {
  shop = await aShopFolder({ ...MEMO, keys: [aDeviceKey()] });
  await shop.seat('laptop');
});
afterAll(() => shop.remove());

describe('the device commands', () => {
  test('device list shows the slots of each product and the devices that hold them', async () => {
    const listed = await device('list', '--account', '1');
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toMatch(/^memo: 1 of 2 devices\ndevice +name +activated .*\nlaptop +Laptop +2026-11-21T/);
    const json = (await device('list', ...onMemo, '--json')).json();
    expect(json).toMatchObject({
      data: [{ slug: 'memo', used: 1, limit: 2, devices: [{ device_id: 'laptop' }] }],
      next_after: null,
    });
  });

  test('device list, the audit log and doctor report a device that two machines use', async () => {
    await shop.seat('copied');
    await shop.within(async (service) => {
      for (const [n, day] of [1, 1, 2].entries()) {
        const seen = newDevice('copied', null, addDays(NOW, day), undefined, { fresh: `value ${n}` });
        await service.get('devices').touch(grantPermit(), 1, 1, seen, n === 0 ? null : 'another value');
      }
      expect(await checkDevices(service)).toEqual([]);
      const seen = newDevice('copied', null, addDays(NOW, 2), undefined, { fresh: 'last' });
      for (const value of ['yet another', 'and another'])
        await service.get('devices').touch(grantPermit(), 1, 1, seen, value);
      expect(await checkDevices(service)).toMatchObject([
        { ok: true, message: expect.stringMatching(/^Two machines use one device, .*: copied of account 1\./) },
      ]);
    });
    expect((await device('list', ...onMemo)).stdout).toMatch(/\ncopied .* on two machines/);
    expect((await shop.run('audit', 'list', '--action', 'device.shared')).stdout).toContain('copied');
    await device('release', 'copied', ...onMemo, '--yes');
  });

  test('device release needs --yes in a script, says that the keys stay valid, and frees the slot', async () => {
    const asked = await device('release', 'laptop', ...onMemo);
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([
      1,
      '',
      'Device laptop of account 1 loses its slot of memo. Its 1 live key stays valid and may take a free slot of memo again; --revoke-keys revokes it too. Nothing has changed yet; add --yes to continue.\n',
    ]);
    const released = await device('release', 'laptop', ...onMemo, '--yes', '--json');
    expect(released.json()).toMatchObject({ device_id: 'laptop', released: true, revoked_keys: [], live_keys: [1] });
    const again = await device('release', 'laptop', ...onMemo, '--yes');
    expect([again.code, again.stderr]).toEqual([
      1,
      'Device laptop of account 1 holds no slot of memo; "device list --account 1" shows those that do.\n',
    ]);
    const ended = await device('release', 'laptop', ...onMemo, '--revoke-keys', '--yes');
    expect(ended.stdout).toContain('Its 1 live key is revoked.');
    expect((await shop.run('key', 'list', '--account', '1', '--json')).json()).toMatchObject([{ live: false }]);
  });

  test('device release --offline-too frees the slot of an offline file, which device list shows until its end', async () => {
    await shop.seat('press');
    const file = { ...aDevice({ device_id: 'press' }), offline_until: '2999-01-01T00:00:00.000Z' };
    await shop.within((service) => service.get('devices').hold(grantPermit(), 1, 1, file));
    const held = await device('release', 'press', ...onMemo, '--yes');
    expect(held.stdout).toContain(
      'is released, but its offline file keeps its slot of memo until 2999-01-01T00:00:00.000Z; --offline-too frees it now.',
    );
    expect((await device('list', '--account', '1')).stdout).toMatch(
      /^memo: 1 of 2.*\n.*\npress .* released +2999-01-01$/m,
    );
    const freed = await device('release', 'press', ...onMemo, '--offline-too', '--yes', '--json');
    expect(freed.json()).toMatchObject({ released: true, offline_until: null });
    expect((await device('list', ...onMemo, '--json')).json()).toMatchObject({ data: [{ used: 0, devices: [] }] });
  });

  test('key revoke says that the device of the key keeps its slots, and how to free one', async () => {
    const made = (
      await shop.run('key', 'create', ...onMemo, '--name', 'x', '--client', 'cli', '--device', 'desk', '--json')
    ).json();
    const { id, prefix } = made as { id: number; prefix: string };
    const revoked = await shop.run('key', 'revoke', String(id));
    expect([revoked.code, revoked.stdout]).toEqual([
      0,
      `Key ${id} (${prefix}…) is revoked. It was issued to device desk, which keeps the slots that it holds; "device release" frees one. Account 1 has no other live key.\n`,
    ]);
  });

  test('device withdraw puts the device on the policy, and device restore removes it', async () => {
    await shop.seat('phone');
    const asked = await device('withdraw', 'phone', ...onMemo);
    expect([asked.code, asked.stderr]).toEqual([
      1,
      'Within a second: Device phone may not run memo in any account. Account 1 has the slot back. Nothing has changed yet; add --yes to continue.\n',
    ]);
    const withdrawn = await device('withdraw', 'phone', ...onMemo, '--reason', 'It was stolen.', '--yes', '--json');
    expect(withdrawn.json()).toMatchObject({ result: 'withdrawn', policy_version: 1, released: true });
    expect((await shop.run('policy', 'show', '--json')).json()).toMatchObject({
      revoked: [{ product_id: 1, device_id: 'phone' }],
    });
    const restored = await device('restore', 'phone', '--product', 'memo');
    expect([restored.code, restored.stdout]).toEqual([
      0,
      'Device phone may run memo again, and takes a free slot with its next license check (version 2 of the client policy).\n',
    ]);
    const again = await device('restore', 'phone', '--product', 'memo', '--json');
    expect([again.code, again.json()]).toMatchObject([1, { error: 'device_not_withdrawn' }]);
  });

  test('policy set asks before it readmits a withdrawn device, and keeps a list that the file omits', async () => {
    await device('withdraw', 'tablet', '--product', 'memo', '--yes');
    const set = async (more: object, ...args: string[]) =>
      shop.run('policy', 'set', await shop.file('policy.json', { ...POLICY, ...more }), ...args);
    const revoked = [{ product_id: 1, device_id: 'tablet' }];
    expect((await set({}, '--json')).json()).toMatchObject({ ...POLICY, revoked, result: 'updated' });
    const asked = await set({ revoked: [] });
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([
      1,
      '',
      'The file leaves out 1 withdrawn device, which may run again: tablet (product 1). Nothing has changed yet; add --yes to continue.\n',
    ]);
    expect((await set({ revoked: [] }, '--json')).json()).toMatchObject({ lifted: revoked });
    expect((await set({ revoked: [] }, '--yes', '--json')).json()).toMatchObject({ revoked: [], result: 'updated' });
    const log = (await shop.run('audit', 'list', '--json')).json();
    expect(
      log
        .slice(0, 2)
        .map(({ action }: { action: string }) => action)
        .toSorted(),
    ).toEqual(['device.restored', 'policy.changed']);
  });
});

test('device list counts sessions where a product’s slots are sessions', async () => {
  const lab = await aShopFolder({
    ...MEMO,
    products: [aProduct({ id: 1, slug: 'lab', slots: 'sessions', device_limit: 2 })],
  });
  expect((await lab.run('device', 'list', '--account', '1')).stdout).toMatch(/^lab: 0 of 2 sessions\n/);
  await lab.remove();
});

describe('the help of the device commands', () => {
  test.each([
    ['release', 'its keys stay valid and may take a free slot again'],
    ['withdraw', 'in every account, by the client policy'],
    ['restore', 'allow a withdrawn device again'],
  ])('the help of device %s says what it does', async (name, sentence) => {
    const help = await cli(['device', name, '--help']);
    expect([help.code, help.stdout.replaceAll(/\s+/g, ' ')]).toEqual([0, expect.stringContaining(sentence)]);
  });
});
