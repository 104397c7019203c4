import { expect, test } from 'vitest';
import { sparkleOrder } from '../../domain/delivery/version-order.ts';
import { normalVersion } from '../../domain/operations/release-faults.ts';
import { recordsOf, type StoreDocument } from '../../domain/operations/store-document.ts';
import { aCategory, anArtifact, anEntitlement, aProduct, aRelease, aTag } from '../support/builders.ts';

const EMPTY: StoreDocument = {
  categories: [],
  tags: [],
  products: [],
  releases: [],
  bundles: [],
  lineages: [],
  policy: undefined,
  disclosure: undefined,
  accounts: [],
};

test('a document is written as one record for each entry, and one for each that its accounts have', () => {
  const account = {
    id: 1,
    email: 'a@example.com',
    name: null,
    created_at: '2026-01-01T00:00:00.000Z',
    password: null,
    payment_methods: [],
    orders: [],
    invoices: [],
    entitlements: [anEntitlement(), anEntitlement({ id: 2 })],
    subscriptions: [],
  };
  expect(recordsOf(EMPTY)).toBe(0);
  expect(recordsOf({ ...EMPTY, categories: [aCategory()], tags: [aTag()], accounts: [account, account] })).toBe(8);
});

test('the version of a release entry is written as its product’s scheme writes it', () => {
  const known = {
    products: new Map([[1, aProduct({ version_scheme: 'sparkle' })]]),
    stored: new Map(),
    order: () => sparkleOrder(),
  };
  const { deltas: _, ...artifact } = anArtifact();
  const entry = { ...aRelease(), artifacts: [{ ...artifact, file: 'a.zip' }] };
  expect(normalVersion({ ...entry, version: 'v1.2' }, known)).toBe('1.2');
  expect(normalVersion({ ...entry, product_id: 2, version: 'v1.2' }, known)).toBe('v1.2');
});
