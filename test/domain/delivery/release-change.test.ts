import { describe, expect, test } from 'vitest';
import { changedRelease } from '../../../domain/delivery/publishing.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { aRelease, NOW } from '../../support/builders.ts';

const [YESTERDAY, TOMORROW] = [addDays(NOW, -1), addDays(NOW, 1)];
const SOON = toInstant(millis(NOW) + 1);
const withdrawn = { at: YESTERDAY, reason: 'Broken' };
const release = aRelease({ released_at: YESTERDAY });
const coming = aRelease({ released_at: TOMORROW });

describe('a change of a release', () => {
  test('a withdrawal happens now, and a changed reason keeps the time of the first withdrawal', () => {
    expect(changedRelease(release, { kind: 'withdraw', reason: 'Broken' }, NOW)).toEqual({
      ok: true,
      value: { ...release, withdrawn: { at: NOW, reason: 'Broken' } },
    });
    expect(changedRelease({ ...release, withdrawn }, { kind: 'withdraw', reason: 'Worse' }, NOW)).toEqual({
      ok: true,
      value: { ...release, withdrawn: { at: YESTERDAY, reason: 'Worse' } },
    });
  });

  test('a restored release equals the release before its withdrawal', () => {
    expect(changedRelease({ ...release, withdrawn }, { kind: 'restore' }, NOW)).toEqual({ ok: true, value: release });
  });

  test('a moved release appears in the other channel', () => {
    expect(changedRelease(release, { kind: 'move', channel: 'beta' }, NOW)).toEqual({
      ok: true,
      value: { ...release, channel: 'beta' },
    });
  });

  test('a release that is not out yet can get another future date', () => {
    expect(changedRelease(coming, { kind: 'schedule', released_at: SOON }, NOW)).toEqual({
      ok: true,
      value: { ...coming, released_at: SOON },
    });
    expect(changedRelease(coming, { kind: 'schedule', released_at: NOW }, NOW)).toMatchObject({
      code: 'moment_has_passed',
    });
  });

  test('a release keeps its date once it is out', () => {
    const at = (released_at: string) =>
      changedRelease(aRelease({ released_at }), { kind: 'schedule', released_at: TOMORROW }, NOW);
    expect(at(NOW)).toMatchObject({ code: 'release_is_out' });
    expect(at(SOON).ok).toBe(true);
  });

  test('a change without effect returns the same release', () => {
    const taken = { ...release, withdrawn };
    const same = [
      [taken, { kind: 'withdraw', reason: 'Broken' }],
      [release, { kind: 'restore' }],
      [release, { kind: 'move', channel: release.channel }],
      [release, { kind: 'schedule', released_at: release.released_at }],
    ] as const;
    for (const [before, change] of same) {
      const changed = changedRelease(before, change, NOW);
      expect(changed.ok && changed.value).toBe(before);
    }
  });
});
