import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReleaseChange } from '../../../domain/delivery/publishing.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { EVERY_AREA } from '../../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { anApp, anArtifact, aRelease, NOW } from '../../support/builders.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { anAccess } from '../../support/public-builders.ts';
import { readAppcast } from '../../support/read-appcast.ts';
import { AGE, permit } from './processes.ts';

const MEMO = anApp({ id: 1, slug: 'memo' });
const artifacts = [anArtifact({ filename: 'memo.zip' })];
const ONE = aRelease({ id: 1, product_id: 1, version: '1.0', build: '100', artifacts });
const TWO = aRelease({ id: 2, product_id: 1, version: '2.0', build: '200', artifacts });
const TOMORROW = addDays(NOW, 1);

let engines: ReturnType<typeof memoryEngines>;
const clock = aClock();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  engines = memoryEngines();
  clock.at = NOW;
});
afterEach(() => void vi.useRealTimers());

/** A process that caches releases as one on DynamoDB does. */
const aProcess = () => bootstrap({ ...SETTINGS, catalogAge: AGE }, engines, EVERY_AREA, { clock, pauses: noPauses });
type Process = ReturnType<typeof aProcess>;

const change = async (process: Process, version: string, input: ReleaseChange) =>
  done(await process.get('changeRelease')(permit, { product: 'memo', version, change: input }));

/** The newest version that each use case of a process offers on `stable`, and the answer to a download of 2.0. */
const offered = async (process: Process) => {
  const input = { channel: 'stable', platform: null, release: null } as const;
  const [product, access, locale] = [MEMO, anAccess(), 'en'] as const;
  const plan = await passed(process.get('planInstall')({ product, query: input, locale }), PERMIT, access);
  const asked = { product, version: null, channel: 'stable', platform: null, locale } as const;
  const update = await passed(process.get('checkUpdate')(asked), PERMIT, access);
  const list = await process.get('listReleases')({ product, channel: 'stable', locale });
  const { channels } = await process.get('showSupply')({ locale });
  const anyone = { caller: null, product_id: 1, channel: 'stable' } as const;
  const [newest] = readAppcast(done(await process.get('showAppcast')(anyone)));
  const file = { caller: null, release_id: 2, ticket: null, platform: null, delta: null };
  const download = await process.get('downloadRelease')(file);
  return {
    plan: plan.ok && plan.value.data.version,
    update: update.ok && update.value.update.current_version,
    list: list.releases[0]?.version,
    supply: channels[0]?.catalog.products[0]?.release?.version,
    feed: newest?.short_version,
    download: download.ok || download.message,
  };
};
const everywhere = (version: string, download: true | string) => ({
  ...{ plan: version, update: version, list: version, supply: version, feed: version },
  download,
});

describe('a release changed by one process', () => {
  /** The operator's process, one that cached the releases before the change, and one that starts after it. */
  const afterChange = async (input: ReleaseChange, before: Partial<typeof TWO> = {}) => {
    const [operator, reader] = [aProcess(), aProcess()];
    const editor = operator.get('releaseEditor');
    await operator.get('catalogEditor').save(permit, { kind: 'product', value: MEMO });
    for (const release of [ONE, { ...TWO, ...before }]) {
      await editor.save(permit, release, await editor.read(1, release.version));
    }
    await offered(reader);
    await change(operator, '2.0', input);
    vi.advanceTimersByTime(AGE);
    return [reader, aProcess()];
  };

  test.each<[string, ReleaseChange, string | true]>([
    ['withdrawn', { kind: 'withdraw', reason: 'It deletes files.' }, 'Version 2.0 was withdrawn: It deletes files.'],
    ['moved to beta', { kind: 'move', channel: 'beta' }, true],
  ])('a release that was %s is offered by no other process within the copy’s maximum age', async (_, input, download) => {
    for (const process of await afterChange(input)) expect(await offered(process)).toEqual(everywhere('1.0', download));
  });

  test.each<[string, ReleaseChange, Partial<typeof TWO>]>([
    ['restored', { kind: 'restore' }, { withdrawn: { at: NOW, reason: 'It deletes files.' } }],
    ['moved to stable', { kind: 'move', channel: 'stable' }, { channel: 'beta' }],
  ])('a release that was %s is offered by every other process within the copy’s maximum age', async (_, input, before) => {
    for (const process of await afterChange(input, before)) {
      expect(await offered(process)).toEqual(everywhere('2.0', true));
    }
  });

  test('a scheduled release is offered by every other process from its date on, and by none before', async () => {
    const input = { kind: 'schedule', released_at: TOMORROW } as const;
    for (const process of await afterChange(input, { released_at: addDays(NOW, 30) })) {
      clock.at = NOW;
      expect(await offered(process)).toEqual(everywhere('1.0', 'There is no such release.'));
      clock.at = TOMORROW;
      expect(await offered(process)).toEqual(everywhere('2.0', true));
    }
  });
});
