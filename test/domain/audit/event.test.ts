import { expect, test } from 'vitest';
import { auditEvent, fieldChanges, savedEvent } from '../../../domain/audit/event.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anEntitlement } from '../../support/builders.ts';

test('a changed field that identifies nobody is logged with its old and new value', () => {
  const before = anEntitlement({ device_limit: 3 });
  const after = { ...before, device_limit: 5 };
  const subject = { kind: 'entitlement', id: before.id, account_id: before.account_id } as const;
  expect(savedEvent(subject, before, after)).toMatchObject({
    action: 'entitlement.changed',
    changes: [{ field: 'device_limit', from: 3, to: 5 }],
  });
});

test('a changed name, email address or password of an account is logged without its values', () => {
  const before = anAccount({ email: 'a@example.com', name: 'A', password_hash: 'hash-a' });
  const after = { ...before, email: 'b@example.com', name: 'B', password_hash: 'hash-b' };
  const event = savedEvent({ kind: 'account', id: before.id, account_id: before.id }, before, after);
  expect(event.changes).toEqual([{ field: 'email' }, { field: 'name' }, { field: 'password_hash' }]);
  expect(JSON.stringify(event)).not.toMatch(/example\.com|hash-|"A"|"B"/);
});

test('a new record is logged as created, with its fields', () => {
  const { action, changes } = savedEvent({ kind: 'category', id: 1 }, undefined, { id: 1, slug: 'tools', note: null });
  expect(action).toBe('category.created');
  expect(changes).toEqual([
    { field: 'id', from: null, to: 1 },
    { field: 'slug', from: null, to: 'tools' },
  ]);
});

test('an action that changes no record is logged without fields', () => {
  expect(auditEvent({ kind: 'device', id: 'laptop', account_id: 7, product_id: 1 }, 'released')).toEqual({
    action: 'device.released',
    subject_id: 'laptop',
    account_id: 7,
    product_id: 1,
    changes: [],
  });
});

test('a changed list is logged without its values, and a long text is cut', () => {
  const before = { platforms: ['linux'], tagline: 'a' };
  const after = { platforms: ['linux', 'macos'], tagline: 'b'.repeat(500) };
  expect(fieldChanges('product', before, after)).toEqual([
    { field: 'platforms' },
    { field: 'tagline', from: 'a', to: 'b'.repeat(200) },
  ]);
});

test('a webhook address is logged by its host only, because the rest may contain a secret', () => {
  const before = { url: 'https://hooks.example/a?token=s3cret', secrets: [] };
  const { changes } = savedEvent({ kind: 'webhook', id: 1 }, before, {
    ...before,
    url: 'https://other.example:8443/b',
  });
  expect(changes).toEqual([{ field: 'url', from: 'https://hooks.example', to: 'https://other.example:8443' }]);
});
