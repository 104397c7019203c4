import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { MAX_CAPTURES } from '../../../../domain/design/collect/run-rules.ts';
import { captureKey } from '../../../support/collect-builders.ts';
import { done } from '../../../support/outcomes.ts';
import { aPng } from '../../../surface/captures.ts';
import { aDesk } from './desk.ts';

let desk: ReturnType<typeof aDesk>;
let run: number;
beforeEach(async () => {
  desk = aDesk();
  run = await desk.opened();
});

const runs = () => desk.service.get('collectRuns');
const kept = async () => (await runs().captures(run, 0, 1000)).map(({ number, key }) => [number, Number(key)]);

/** Sets the number of uploads of the run, as if that many had arrived. */
const countUp = async (uploads: { assets: number; captures: number }) => {
  const read = await runs().get(run);
  if (read) await runs().save(grantPermit(), read.run, { ...read, uploads });
};

describe('the upload of a capture', () => {
  test('captures are numbered from 1 in order of arrival', async () => {
    for (const n of [30, 10, 20]) expect((await desk.capture(run, n)).ok).toBe(true);
    expect(await kept()).toEqual([
      [1, 30],
      [2, 10],
      [3, 20],
    ]);
    expect((await runs().captures(run, 1, 1)).map(({ number }) => number)).toEqual([2]);
  });

  test('a capture with the same key replaces the earlier one and keeps its number', async () => {
    await desk.capture(run, 1);
    await desk.capture(run, 2);
    const again = done(await desk.capture(run, 1, { outcome: 'failed', message: 'It did not load.' }));
    expect(again).toMatchObject({ replaced: true, capture: { number: 1, outcome: 'failed' } });
    expect(await runs().captures(run, 0, 10)).toMatchObject([{ message: 'It did not load.' }, { outcome: 'ok' }]);
    expect(done(await desk.show(run)).run.uploads).toEqual({ assets: 0, captures: 2 });
  });

  test('simultaneous captures get distinct numbers, and one number for the same key', async () => {
    const added = await Promise.all(Array.from({ length: 24 }, (_, n) => desk.capture(run, n % 12)));
    expect(added.filter((outcome) => done(outcome).replaced)).toHaveLength(12);
    const numbers = (await kept()).map(([number]) => number);
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    expect((await runs().get(run))?.uploads.captures).toBe(12);
  });

  test('an image is stored by its hash, with the dimensions from its header', async () => {
    const image = aPng(500);
    const { capture } = done(await desk.capture(run, 1, {}, image));
    expect(capture.image).toMatchObject({ size: 500, type: 'image/png', width: 1, height: 1 });
    const stored = await desk.service.get('objects').stat(`design/${capture.image?.sha256}`);
    expect(stored?.size).toBe(500);
  });

  test('all faults of a capture are named at once, and nothing is stored', async () => {
    const refused = await desk.capture(run, 1, { meta: '{"step":0}', assets: '[null]' }, Buffer.from('GIF89a'));
    expect(refused).toMatchObject({ ok: false, code: 'validation_failed' });
    expect(Object.keys((refused.ok ? {} : refused.data?.['errors']) as object)).toEqual([
      'meta.step',
      'assets.0',
      'image',
    ]);
    expect(await kept()).toEqual([]);
  });

  test('the app of a capture must belong to the run', async () => {
    expect((await desk.capture(run, 1, { meta: '{"app":"core"}' })).ok).toBe(true);
    expect(await desk.capture(run, 1, { meta: '{"app":"lecture"}' })).toMatchObject({ code: 'validation_failed' });
  });

  test('a full run accepts no new capture, but still replaces those that it has', async () => {
    await desk.capture(run, 1);
    await countUp({ assets: 0, captures: MAX_CAPTURES - 1 });
    const last = await Promise.all([2, 3, 4, 5].map((n) => desk.capture(run, n)));
    expect(last.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(last.filter((outcome) => !outcome.ok && outcome.code === 'collect_run_closed')).toHaveLength(3);
    expect(done(await desk.capture(run, 1)).replaced).toBe(true);
    expect(await runs().numberOf(run, captureKey(1))).toBe(1);
  });
});

describe('the upload of an asset', () => {
  test('an asset is stored under its hash, and the same bytes at the same URL once', async () => {
    const first = done(await desk.asset(run, 'a {}'));
    expect(first).toMatchObject({ duplicate: false, asset: { type: 'css', size: 4 } });
    expect(done(await desk.asset(run, 'a {}'))).toEqual({ ...first, duplicate: true });
    expect(done(await desk.asset(run, 'a {}', 'https://app.example.com/two.css')).duplicate).toBe(false);
    expect(done(await desk.asset(run, 'b {}')).duplicate).toBe(false);
    expect(await runs().assets(run)).toHaveLength(3);
    const stored = await desk.service.get('objects').open(`design/${first.asset.sha256}`);
    expect(stored && (await text(stored.stream))).toBe('a {}');
  });

  test('an asset that is uploaded ten times at once is stored and counted once', async () => {
    const added = await Promise.all(Array.from({ length: 10 }, () => desk.asset(run, 'a {}')));
    expect(added.filter((outcome) => !done(outcome).duplicate)).toHaveLength(1);
    expect((await runs().get(run))?.uploads.assets).toBe(1);
  });

  test('a hash that does not match the bytes is refused, and nothing is stored', async () => {
    const refused = await desk.asset(run, 'a {}', undefined, 'f'.repeat(64));
    expect(refused).toMatchObject({ code: 'validation_failed', data: { errors: { sha256: [expect.any(String)] } } });
    expect(await desk.service.get('objects').stat(`design/${'f'.repeat(64)}`)).toBeUndefined();
    expect(await runs().assets(run)).toEqual([]);
  });
});

describe('the lease of a run', () => {
  const end = async () => (await runs().lock()).lock?.expires_at;

  test('an upload renews a lease only if less than three quarters of it are left', async () => {
    desk.wait(25);
    await desk.capture(run, 1);
    expect(await end()).toBe('2026-11-21T08:01:40.000Z');
    desk.wait(1);
    await desk.asset(run, 'a {}');
    expect(await end()).toBe('2026-11-21T08:02:06.000Z');
  });

  test('a run with occasional uploads lives far beyond one lease', async () => {
    for (let n = 0; n < 10; n++) {
      desk.wait(99);
      expect((await desk.capture(run, n)).ok).toBe(true);
    }
  });

  test('a run whose lease has ended accepts no upload', async () => {
    desk.wait(100);
    expect(await desk.capture(run, 1)).toMatchObject({ code: 'collect_run_closed' });
    expect(await desk.asset(run, 'a {}')).toMatchObject({ code: 'collect_run_closed' });
  });
});
