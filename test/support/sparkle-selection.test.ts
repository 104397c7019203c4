import { describe, expect, test } from 'vitest';
import type { AppcastItem } from '../../domain/delivery/appcast.ts';
import { addDays, millis, toInstant } from '../../domain/shared/instant.ts';
import { aClient, anItem } from './appcast.ts';
import { NOW } from './builders.ts';
import { itemsFor, offerTo, PHASED_GROUPS, type Skipped, type SparkleClient, stateFor } from './sparkle-selection.ts';

/** The cases come from Sparkle's documentation ("Publishing an update") and from its own tests (SUAppcastTest). */
const offered = (items: readonly AppcastItem[], client: Partial<SparkleClient> = {}): string | undefined =>
  offerTo(items, aClient(client))?.item.version;

describe('versions', () => {
  test('an equal or older version is not an update, however many zeros it has', () => {
    expect(offered([anItem('1.0')])).toBeUndefined();
    expect(offered([anItem('1.0.0')])).toBeUndefined();
    expect(offered([anItem('0.9')])).toBeUndefined();
    expect(offered([])).toBeUndefined();
  });

  test('the first of two items with equal versions is the update', () => {
    const items = [anItem('2.0', { release_id: 1 }), anItem('2.0.0', { release_id: 2 })];
    expect(offerTo(items, aClient())?.item.release_id).toBe(1);
    expect(offerTo(items.toReversed(), aClient())?.item.release_id).toBe(2);
  });

  test('the highest version is offered, whatever the order of the feed', () => {
    const items = ['2.0', '4.0', '3.0'].map((version) => anItem(version));
    expect(offered(items)).toBe('4.0');
    expect(offered(items.toReversed())).toBe('4.0');
  });

  test('build numbers are compared as numbers, whatever the display version says', () => {
    const items = [anItem('1248', { short_version: '1.5.1' }), anItem('999', { short_version: '9.0' })];
    expect(offered(items, { version: '1000' })).toBe('1248');
    expect(offered(items, { version: '1248' })).toBeUndefined();
  });

  test.each([
    ['2.0b1', '2.0', '2.0'],
    ['2.0', '2.0b1', undefined],
    ['2.0b1', '2.0b2', '2.0b2'],
    ['2.0b9', '2.0b10', '2.0b10'],
    ['2.0rc1', '2.0b9', undefined],
  ])('a client on %s with %s in the feed is offered %s', (version, item, update) => {
    expect(offered([anItem(item)], { version })).toBe(update);
  });
});

describe('a channel', () => {
  const items = [
    anItem('20001', { channel: 'beta', short_version: '2.0b1' }),
    anItem('10900', { short_version: '1.9' }),
    anItem('20100', { channel: 'dev' }),
  ];

  test.each([
    [[], '10900'],
    [['beta'], '20001'],
    [['dev'], '20100'],
    [['beta', 'dev'], '20100'],
    [['made-up'], '10900'],
  ])('a client on the channels %j is offered %s', (channels, version) => {
    expect(offered(items, { version: '1', channels })).toBe(version);
  });

  test('a client on another channel is still offered releases of the default channel', () => {
    const back = [...items, anItem('20200')];
    expect(offered(back, { version: '20100', channels: ['dev'] })).toBe('20200');
  });
});

describe('the system of a client', () => {
  const items = [
    anItem('3.0', { minimum_system_version: '13.0.0' }),
    anItem('2.0', { minimum_system_version: '10.11.0' }),
    anItem('1.5', { maximum_system_version: '10.10.99' }),
  ];

  test.each([
    ['26.1.0', '3.0'],
    ['13.0.0', '3.0'],
    ['13', '3.0'],
    ['12.7.6', '2.0'],
    ['10.16.0', '2.0'],
    ['10.11.0', '2.0'],
    ['10.11', '2.0'],
    ['10.10.99', '1.5'],
    ['10.10.5', '1.5'],
    ['10.9', '1.5'],
  ])('the system %s is offered %s', (system_version, version) => {
    expect(offered(items, { system_version })).toBe(version);
  });

  test('a system that is too new for a release is not offered it', () => {
    const item = anItem('2.0', { maximum_system_version: '14.7.0' });
    expect(offered([item], { system_version: '14.7.0' })).toBe('2.0');
    expect(offered([item], { system_version: '14.7.1' })).toBeUndefined();
  });
});

describe('the processor of a client', () => {
  const both = [anItem('2.0', { requires_arm64: true, release_id: 1 }), anItem('2.0', { release_id: 2 })];

  test('a client gets the item for its own processor when two items share a build', () => {
    expect(offerTo(both, aClient({ architecture: 'arm64' }))?.item.release_id).toBe(1);
    expect(offerTo(both, aClient({ architecture: 'x86_64' }))?.item.release_id).toBe(2);
  });

  test('an Intel client is offered nothing that needs Apple silicon, whether stated or implied by the system', () => {
    expect(offered([both[0] as AppcastItem], { architecture: 'x86_64' })).toBeUndefined();
    const next = anItem('2.0', { minimum_system_version: '27.0.0' });
    expect(offered([next], { architecture: 'x86_64', system_version: '27.0.0' })).toBeUndefined();
    expect(offered([next], { architecture: 'arm64', system_version: '27.0.0' })).toBe('2.0');
  });
});

describe('a major upgrade', () => {
  const major = anItem('2.1', { minimum_autoupdate_version: '2.0' });

  test('an update is a major upgrade for versions below the one that it names', () => {
    expect(stateFor(major, aClient({ version: '1.9.4' })).major_upgrade).toBe(true);
    expect(stateFor(major, aClient({ version: '2.0' })).major_upgrade).toBe(false);
  });

  test('a major upgrade is offered after the last minor release', () => {
    const items = [major, anItem('1.9.4')];
    expect(offered(items, { version: '1.9.3' })).toBe('1.9.4');
    expect(offered(items, { version: '1.9.4' })).toBe('2.1');
    expect(offered(items, { version: '2.0' })).toBe('2.1');
  });

  describe('a skipped major upgrade', () => {
    const feed = [
      anItem('4.1', { minimum_autoupdate_version: '4.0' }),
      anItem('4.0', { minimum_autoupdate_version: '4.0' }),
      anItem('3.9', { minimum_autoupdate_version: '3.0', ignore_skipped_upgrades_below_version: '3.5' }),
      anItem('3.0', { minimum_autoupdate_version: '3.0' }),
      anItem('2.0'),
    ];
    const left = (skipped: Partial<Skipped>): string[] => {
      const all = { minor_version: null, major_version: null, major_subrelease_version: null, ...skipped };
      return itemsFor(feed, aClient({ background: { group: 0, skipped: all } })).map(({ version }) => version);
    };

    test.each([
      [{ major_version: '3.0' }, ['4.1', '4.0', '3.9', '2.0']],
      [{ major_version: '3.4' }, ['4.1', '4.0', '3.9', '2.0']],
      [{ major_version: '3.0', major_subrelease_version: '3.5' }, ['4.1', '4.0', '2.0']],
      [{ major_version: '3.0', major_subrelease_version: '3.5.1' }, ['4.1', '4.0', '2.0']],
      [{ major_version: '4.0', major_subrelease_version: '4.0' }, ['2.0']],
      [{ major_version: '4.0', major_subrelease_version: '4.0', minor_version: '2.1' }, []],
      [{ minor_version: '2.0' }, ['4.1', '4.0', '3.9', '3.0']],
      [{ minor_version: '1.5' }, ['4.1', '4.0', '3.9', '3.0', '2.0']],
      [{ major_version: '1.0' }, ['4.1', '4.0', '3.9', '3.0', '2.0']],
    ])('skipping %j leaves %j', (skipped, versions) => {
      expect(left(skipped)).toEqual(versions);
    });

    test('a user who checks manually is offered skipped upgrades again', () => {
      expect(itemsFor(feed, aClient({ background: null }))).toHaveLength(5);
    });

    test('skipping a major upgrade leaves the minor releases below it', () => {
      const skipped = { minor_version: null, major_version: '4.1', major_subrelease_version: '4.1' };
      expect(offered(feed, { background: { group: 0, skipped } })).toBe('2.0');
    });

    test('a skip no longer applies once the client has reached the skipped major version', () => {
      const skipped = { minor_version: null, major_version: '3.0', major_subrelease_version: '3.9' };
      expect(offered(feed, { version: '3.0', background: { group: 0, skipped } })).toBe('3.9');
    });
  });
});

describe('a critical update', () => {
  test('an update is critical below the version that it names, or for every version when it names none', () => {
    const always = anItem('1.2.4', { critical: { below_version: null } });
    const since = anItem('1.2.5', { critical: { below_version: '1.2.4' } });
    const states = (version: string) => [always, since].map((item) => stateFor(item, aClient({ version })).critical);
    expect(states('1.2.3')).toEqual([true, true]);
    expect(states('1.2.4')).toEqual([true, false]);
    expect(stateFor(anItem('1.2.6'), aClient()).critical).toBe(false);
  });
});

describe('an informational update', () => {
  const link = 'https://example.com/1.2.4';
  const state = (item: AppcastItem, version: string) => stateFor(item, aClient({ version })).informational;

  test('an informational update that names no version is informational for every version', () => {
    const item = anItem('1.2.4', { link, informational: { versions: [], below_version: null } });
    expect(['0.1', '1.2.3'].map((version) => state(item, version))).toEqual([true, true]);
  });

  test('an informational update is informational for exactly the versions that it names', () => {
    const item = anItem('2.7', { link, informational: { versions: ['2.4', '2.5'], below_version: '0.5' } });
    const told = ['0.0', '0.4', '0.5', '1.0', '2.3', '2.4', '2.5', '2.6'].filter((version) => state(item, version));
    expect(told).toEqual(['0.0', '0.4', '2.4', '2.5']);
  });

  test('an update without a page to link to is never informational', () => {
    expect(state(anItem('1.2.4', { informational: { versions: [], below_version: null } }), '1.2.3')).toBe(false);
  });

  test('an informational update is offered like any other', () => {
    const item = anItem('1.2.4', { link, informational: { versions: ['1.2.3'], below_version: null } });
    expect(offerTo([item], aClient({ version: '1.2.3' }))).toMatchObject({ informational: true });
    expect(offerTo([item], aClient({ version: '1.2.2' }))).toMatchObject({ informational: false });
  });
});

describe('a phased rollout', () => {
  const item = anItem('2.0', { published_at: NOW, phased_rollout_interval: 86_400 });
  const secondsOn = (seconds: number) => toInstant(millis(NOW) + seconds * 1000);
  const groupsAt = (now: string, one = item): number[] =>
    Array.from({ length: PHASED_GROUPS }, (_, group) => group).filter(
      (group) => offered([one], { now, background: { group, skipped: null } }) !== undefined,
    );

  test('a phased rollout reaches the first group at once and one more group each day', () => {
    expect(groupsAt(secondsOn(-1))).toEqual([]);
    expect(groupsAt(NOW)).toEqual([0]);
    expect(groupsAt(secondsOn(86_399))).toEqual([0]);
    expect(groupsAt(secondsOn(86_400))).toEqual([0, 1]);
    expect(groupsAt(addDays(NOW, 2))).toEqual([0, 1, 2]);
    expect(groupsAt(addDays(NOW, 6))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('a phased rollout does not delay an update that is critical for the client', () => {
    const all = [0, 1, 2, 3, 4, 5, 6];
    expect(groupsAt(secondsOn(-1), { ...item, critical: { below_version: null } })).toEqual(all);
    expect(groupsAt(secondsOn(-1), { ...item, critical: { below_version: '1.5' } })).toEqual(all);
    expect(groupsAt(NOW, { ...item, critical: { below_version: '1.0' } })).toEqual([0]);
  });

  test('a phased rollout does not delay a user who checks manually', () => {
    expect(offered([item], { now: secondsOn(-1), background: null })).toBe('2.0');
  });

  test('a phased rollout offers the previous release to the delayed groups', () => {
    const items = [item, anItem('1.5')];
    expect(offered(items, { now: NOW, background: { group: 1, skipped: null } })).toBe('1.5');
  });
});

describe('a patch', () => {
  const patchFrom = (from_build: string) => ({
    ...anItem('3.0').enclosure,
    url: `https://x/${from_build}.delta`,
    from_build,
  });
  const items = [anItem('3.0', { deltas: [patchFrom('1.0'), patchFrom('2.0')] }), anItem('2.0')];

  test.each([
    ['1.0', 'https://x/1.0.delta'],
    ['2.0', 'https://x/2.0.delta'],
    ['2.1', undefined],
  ])('a client on the build %s gets the patch %s', (version, url) => {
    const offer = offerTo(items, aClient({ version }));
    expect([offer?.item.version, offer?.delta?.url]).toEqual(['3.0', url]);
  });
});
