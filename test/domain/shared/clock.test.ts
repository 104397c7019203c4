import { expect, test } from 'vitest';
import { clockFault } from '../../../domain/shared/clock.ts';

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
