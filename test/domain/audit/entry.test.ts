import { describe, expect, test } from 'vitest';
import { type AuditEntry, type AuditFilter, forgottenAt, isAskedFor } from '../../../domain/audit/entry.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';

const ENTRY: AuditEntry = {
  id: 1,
  at: NOW,
  action: 'device.released',
  subject_id: 'laptop',
  account_id: 7,
  product_id: 3,
  changes: [],
  by: { kind: 'key', id: '42', account_id: 8, through: 'deactivateDevice', from: '192.0.2.1' },
};
const EVERY: AuditFilter = {
  since: null,
  until: null,
  account_id: null,
  product_id: null,
  action: null,
  by: null,
  subject: null,
};
const later = (ms: number) => toInstant(millis(NOW) + ms);

describe('a search of the audit log', () => {
  test.each<[string, Partial<AuditFilter>]>([
    ['without a condition', {}],
    ['since its own moment', { since: NOW }],
    ['until a later moment', { until: later(1) }],
    ['about its account', { account_id: 7 }],
    ['by the account of its actor', { account_id: 8 }],
    ['about its product', { product_id: 3 }],
    ['for its action', { action: 'device.released' }],
    ['for the kind of its record', { action: 'device' }],
    ['by the kind of its actor', { by: 'key' }],
    ['by its actor', { by: 'key:42' }],
    ['about its record', { subject: 'laptop' }],
  ])('an entry is found %s', (_, filter) => {
    expect(isAskedFor(ENTRY, { ...EVERY, ...filter })).toBe(true);
  });

  test.each<[string, Partial<AuditFilter>]>([
    ['since a later moment', { since: later(1) }],
    ['until its own moment', { until: NOW }],
    ['about another account', { account_id: 9 }],
    ['about another product', { product_id: 4 }],
    ['for another action of the kind', { action: 'device.withdrawn' }],
    ['for another kind', { action: 'key' }],
    ['by another kind of actor', { by: 'command' }],
    ['by another actor', { by: 'key:4' }],
    ['about another record', { subject: 'desktop' }],
  ])('an entry is not found %s', (_, filter) => {
    expect(isAskedFor(ENTRY, { ...EVERY, ...filter })).toBe(false);
  });

  test('an entry is deleted after its retention period', () => {
    expect(forgottenAt(ENTRY, 365)).toBe(addDays(NOW, 365));
  });
});
