import { expect, test } from 'vitest';
import { releaseEvent } from '../../../domain/audit/event.ts';
import { aRelease } from '../../support/builders.ts';

const release = aRelease({ id: 21, version: '1.1', channel: 'stable' });
const withdrawn = { ...release, withdrawn: { at: release.released_at, reason: 'It crashes.' } };

test.each([
  ['created', undefined, release],
  ['withdrawn', release, withdrawn],
  ['withdrawn', withdrawn, { ...withdrawn, withdrawn: { ...withdrawn.withdrawn, reason: 'It loses notes.' } }],
  ['restored', withdrawn, release],
  ['moved', release, { ...release, channel: 'beta' as const }],
  ['scheduled', release, { ...release, released_at: '2100-01-01T00:00:00.000Z' }],
  ['changed', release, { ...release, build: '77' }],
  ['withdrawn', release, { ...withdrawn, channel: 'beta' as const }],
  ['changed', release, { ...release, build: '77', channel: 'beta' as const }],
])('the event of a release that is %s starts with its version', (done, before, after) => {
  const event = releaseEvent(before, after);
  expect(event).toMatchObject({ action: `release.${done}`, subject_id: '21', product_id: release.product_id });
  expect(event.changes[0]).toEqual({ field: 'version', from: before ? '1.1' : null, to: '1.1' });
});
