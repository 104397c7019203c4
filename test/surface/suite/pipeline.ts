import { describe, expect, test } from 'vitest';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { NOTES, SKILL, TOOL } from '../shop.ts';

type Row = { id: number; version?: string; release?: { version: string } | null };

/** What can be downloaded by each channel, as it is published. */
export const pipelineSuite = (mount: () => Mount): void => {
  const pipeline = async (language = 'en') => {
    const { body } = await get(mount(), '/api/downloads/pipeline', undefined, { 'Accept-Language': language });
    return Object.fromEntries(body.channels.map((one: { channel: string }) => [one.channel, one]));
  };

  test('has all four channels, the most careful first', async () => {
    expect(Object.keys(await pipeline())).toEqual(['stable', 'beta', 'alpha', 'dev']);
  });

  test('has the newest release that each channel offers of what is on sale and comes as a file', async () => {
    const channels = await pipeline();
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

  test('says nothing of an unpublished product', async () => {
    const text = JSON.stringify(await pipeline());
    expect(text).not.toMatch(/secret/i);
  });

  test('counts what each platform is served, also by an older release or a file for all', async () => {
    const { platforms } = (await pipeline())['alpha'];
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

  describe('the checklist', () => {
    test('tells what is there and what is missing of which product', async () => {
      const { ready, checklist } = (await pipeline())['stable'];
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

    test('is in the language asked for', async () => {
      const { checklist } = (await pipeline('ko'))['stable'];
      expect(checklist[0].label).toBe('모든 제품에 릴리스가 있음');
    });
  });
};
