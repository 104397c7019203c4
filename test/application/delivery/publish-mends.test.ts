import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import { anApp } from '../../support/builders.ts';
import { aPublisher } from '../../support/publisher.ts';

const KEY = objectKeyOf(hash('sha256', 'tool'));

let publisher: Awaited<ReturnType<typeof aPublisher>>;

const lose = () => publisher.service.get('objects').remove(grantPermit(), KEY);
const isThere = async () => (await publisher.service.get('objects').stat(KEY)) !== undefined;
const withdraw = () =>
  publisher.service.get('changeRelease')(grantPermit(), {
    product: 'tool',
    version: '1.0.0',
    change: { kind: 'withdraw', reason: 'It deletes files' },
  });

beforeEach(async () => {
  publisher = await aPublisher();
  await publisher.publish();
});

describe('publishing again a file whose stored bytes are lost', () => {
  test('the same file is stored again, and the response says so', async () => {
    const before = await publisher.stored();
    expect(await publisher.publish()).toMatchObject({ value: { result: 'unchanged', mended: false } });
    await lose();
    expect(await publisher.publish()).toMatchObject({ value: { result: 'unchanged', mended: true } });
    expect([await isThere(), await publisher.stored()]).toEqual([true, before]);
  });

  test('the same file of a withdrawn release is stored again, and the release stays withdrawn', async () => {
    await withdraw();
    const before = await publisher.stored();
    await lose();
    expect(await publisher.publish()).toMatchObject({ value: { result: 'unchanged', mended: true } });
    expect([await isThere(), await publisher.stored()]).toEqual([true, before]);
    expect(before?.withdrawn).toBeDefined();
    expect(await publisher.publish()).toMatchObject({ code: 'release_withdrawn' });
  });

  test('the same file of a release that breaks its appcast is stored again, because it changes nothing', async () => {
    const { service } = publisher;
    const text = { file: 'tool.zip', filename: 'notes.txt', build: '1', version: '1.1.0' };
    expect(await publisher.publish(text)).toMatchObject({ value: { result: 'created' } });
    const app = anApp({ id: 1, slug: 'tool', version_scheme: 'semver' });
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: app });
    await lose();
    expect(await publisher.publish(text)).toMatchObject({ value: { result: 'unchanged', mended: true } });
    expect(await publisher.publish({ ...text, platform: 'darwin-arm64' })).toMatchObject({ code: 'breaks_feed' });
  });

  test('another file is not stored for a withdrawn release', async () => {
    await withdraw();
    await lose();
    expect(await publisher.publish({ file: 'other.zip' })).toMatchObject({ code: 'release_withdrawn' });
    expect(await isThere()).toBe(false);
  });
});
