import { expect, test } from 'vitest';
import { clockFault } from '../../../domain/shared/clock.ts';
import { awaits, isTooFar } from '../../../domain/shared/instant.ts';

const SEEN = '2026-11-21T08:00:00.000Z';

test.each([
  ['agrees at the same moment', SEEN, undefined],
  ['agrees after a day of rest', '2026-11-22T08:00:00.000Z', undefined],
  ['agrees while it lags by a minute', '2026-11-21T07:59:00.000Z', undefined],
  ['is named, and may be right, after a week', '2026-11-28T08:00:00.000Z', false],
  ['is wrong when it is two years ahead', '2028-11-21T08:00:00.000Z', true],
  ['is wrong when it is three days behind', '2026-11-18T08:00:00.000Z', true],
])('a clock is refused if it is %s of the newest time in the store', (_, now, isWrong) => {
  const found = clockFault(SEEN, now);
  expect(found?.isWrong).toBe(isWrong);
  if (found) expect(found.message).toContain(`The clock says ${now}`);
});

test.each([
  ['is awaited a millisecond before it', '2026-11-21T08:00:00.001Z', true],
  ['has come at its moment', SEEN, false],
  ['is awaited for as long as it can have been set ahead', '2026-11-21T09:00:00.000Z', true],
  ['has come if only a wrong clock can have set it', '2026-11-21T09:00:00.001Z', false],
  ['has come if it lies years ahead', '2036-11-21T08:00:00.000Z', false],
])('an end %s', (_, end, expected) => {
  expect(awaits(end, SEEN)).toBe(expected);
  expect(isTooFar(end, SEEN)).toBe(end > SEEN && !expected);
});
