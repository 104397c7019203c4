import { describe, expect, test } from 'vitest';
import { usesIn, withUse } from '../../../domain/devices/usage.ts';
import { addDays, dayOf } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';

const use = (used_at: string, product_id = 1) => ({ product_id, used_at });
const row = (usage_date: string, launches = 1, product_id = 1) => ({ product_id, usage_date, launches, commands: {} });

describe('the use of a product', () => {
  test('the first use of a product is also its latest', () => {
    expect(withUse(undefined, use(NOW))).toEqual({ product_id: 1, first_used_at: NOW, last_used_at: NOW });
  });

  test('a use on the same day changes nothing, and one at the start of the next day does', () => {
    const known = { product_id: 1, first_used_at: NOW, last_used_at: NOW };
    expect(withUse(known, use(`${dayOf(NOW)}T23:59:59.999Z`))).toBeNull();
    const next = `${dayOf(addDays(NOW, 1))}T00:00:00.000Z`;
    expect(withUse(known, use(next))).toEqual({ ...known, last_used_at: next });
  });
});

describe('the uses that usage rows imply', () => {
  test('a row with a launch counts as a use at the end of its day, and a row of today as a use now', () => {
    expect(usesIn([row(dayOf(addDays(NOW, -2)))], NOW)).toEqual([use(`${dayOf(addDays(NOW, -1))}T00:00:00.000Z`)]);
    expect(usesIn([row(dayOf(NOW))], NOW)).toEqual([use(NOW)]);
    expect(usesIn([row(dayOf(addDays(NOW, 1)))], NOW)).toEqual([use(NOW)]);
  });

  test('a row without a launch is not a use, and the latest row with a launch counts', () => {
    const rows = [
      row('2026-11-01'),
      row('2026-11-03'),
      row('2026-11-02'),
      row('2026-11-09', 0),
      row('2026-11-09', 0, 2),
    ];
    expect(usesIn(rows, NOW)).toEqual([use('2026-11-04T00:00:00.000Z')]);
  });
});
