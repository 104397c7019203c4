import { describe, expect, test } from 'vitest';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { NOTES, SKILL, TOOL } from '../shop.ts';

type Row = { id: number; version?: string; release?: { version: string } | null };

/** Tests the public overview of the downloads of each channel. */
export const supplySuite = (mount: () => Mount): void => {
  const supply = async (language = 'en') => {
    const { body } = await get(mount(), '/api/downloads/pipeline', undefined, { 'Accept-Language': language });
    return Object.fromEntries(body.channels.map((one: { channel: string }) => [one.channel, one]));
  };

  test('the supply has all four channels, the most stable first', async () => {
    expect(Object.keys(await supply())).toEqual(['stable', 'beta', 'alpha', 'dev']);
  });

  test('a channel of the supply has the newest release of each downloadable product on sale', async () => {
    const channels = await supply();
    const newest = (channel: string) =>
      channels[channel].catalog.products.map(({ id, release }: Row) => [id, release?.version]);
    expect(newest('stable')).toEqual([
      [TOOL, '1.1.0'],
      [SKILL, '1.10.0'],
      [NOTES, '2.0'],
    ]);
    expect(newest('beta')).toEqual([
      [TOOL, '1.2.0-beta.1'],
      [SKILL, '1.10.0'],
      [NOTES, '2.1b1'],
    ]);
    expect(channels['stable'].catalog).toMatchObject({
      product_count: 3,
      released_count: 3,
      latest_released_at: '2026-06-01T00:00:00.000Z',
    });
  });

  test('the supply omits unpublished products', async () => {
    const text = JSON.stringify(await supply());
    expect(text).not.toMatch(/secret/i);
  });

  test('a platform of the supply lists the products that it can get, including older releases and neutral files', async () => {
    const { platforms } = (await supply())['alpha'];
    const versions = Object.fromEntries(
      platforms.map((one: { platform: string; products: Row[] }) => [
        one.platform,
        one.products.map(({ id, version }) => [id, version]),
      ]),
    );
    const [skill, notes] = [
      [SKILL, '1.10.0'],
      [NOTES, '2.1b1'],
    ];
    expect(versions).toEqual({
      'linux-amd64': [[TOOL, '2.0.0-alpha.1'], skill],
      'darwin-arm64': [[TOOL, '1.2.0-beta.1'], skill, notes],
      'darwin-amd64': [skill, notes],
      'linux-arm64': [skill],
      any: [skill, notes],
    });
  });

  describe('the checklist of the supply', () => {
    test('the supply checklist counts passed checks and names the products that fail', async () => {
      const { ready, checklist } = (await supply())['stable'];
      const of = (key: string) => checklist.find((one: { key: string }) => one.key === key);
      expect(ready).toBe(false);
      expect(of('released')).toEqual({
        key: 'released',
        label: 'Every product has a release',
        ok: true,
        passed: 3,
        total: 3,
        missing: [],
      });
      expect(of('platforms')).toMatchObject({ ok: true, passed: 4, total: 4 });
      expect(of('checksums')).toMatchObject({ ok: true, passed: 4, total: 4 });
      expect(of('signatures')).toMatchObject({ ok: false, passed: 0, missing: ['tool', 'skill', 'notes'] });
      expect(of('notes')).toMatchObject({ ok: false, passed: 0, total: 3 });
    });

    test('the supply checklist is in the requested language', async () => {
      const { checklist } = (await supply('ko'))['stable'];
      expect(checklist[0].label).toBe('모든 제품에 릴리스가 있음');
    });
  });
};
