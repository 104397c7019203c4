import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Access,
  judgeAccess,
  judgeOpenly,
  judgeSight,
  targetProduct,
  unknownAs,
} from '../../../domain/licensing/access.ts';
import { ok, refuse } from '../../../domain/shared/outcome.ts';
import { aCatalog, aProduct } from '../../support/builders.ts';

const { products } = aCatalog({ products: [aProduct({ id: 1 }), aProduct({ id: 2 })] });
const WIDE = { product_id: null };
const NO_SUCH = refuse('not_found', { message: 'There is no such product.' });

const GRANTED: Access = {
  granted: true,
  access_source: 'direct',
  access_expires_at: null,
  updates_supported_until: null,
  device_limit: null,
  edition: null,
  features: [],
  metadata: {},
};
const DENIED: Access = { granted: false, reason: 'not_entitled' };

describe('the product of a request', () => {
  test('the product of a request is found if the caller is bound to it or to none', () => {
    for (const scope of [{ product_id: 1 }, WIDE, null]) {
      expect(targetProduct(products, scope, 1)).toEqual(ok(products.get(1)));
    }
  });

  test('a product id that is unknown or impossible is not found', () => {
    for (const asked of [3, null]) expect(targetProduct(products, WIDE, asked)).toEqual(NO_SUCH);
  });

  test('a product is out of scope for an account-wide caller if the request must be bound to a product', () => {
    expect(targetProduct(products, WIDE, 1, true)).toMatchObject({ code: 'product_api_key_scope_required' });
    expect(targetProduct(products, { product_id: 1 }, 1, true).ok).toBe(true);
  });

  test('a caller bound to another product gets the same answer whether or not the product exists', () => {
    const id = fc.option(fc.integer({ min: 1, max: 5 }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), id, fc.boolean(), (bound, asked, mustBeBound) => {
        fc.pre(bound !== asked);
        const scope = { product_id: bound };
        const none = new Map();
        expect(targetProduct(products, scope, asked, mustBeBound)).toEqual(
          targetProduct(none, scope, asked, mustBeBound),
        );
      }),
    );
  });
});

describe('access to a product', () => {
  test.each([
    [true, GRANTED, true, true],
    [true, GRANTED, false, true],
    [false, GRANTED, true, true],
    [false, GRANTED, false, true],
    [true, DENIED, false, true],
    [true, DENIED, true, 'product_entitlement_required'],
    [false, DENIED, false, 'not_found'],
    [false, DENIED, true, 'not_found'],
  ] as const)('of one on sale: %j with %j, entitlement needed: %j, is %j', (published, access, needs, answer) => {
    const judged = judgeAccess({ published }, access, needs);
    if (answer === true) expect(judged).toEqual(ok(access));
    else expect(judged).toMatchObject({ ok: false, code: answer });
  });

  test('a hidden product answers as if it did not exist', () => {
    for (const needs of [true, false]) {
      expect(judgeAccess({ published: false }, DENIED, needs)).toEqual(targetProduct(products, WIDE, 3));
    }
  });
});

describe('access of a former owner', () => {
  test.each([
    [true, { granted: false, reason: 'not_entitled' }, true],
    [false, GRANTED, true],
    [false, { granted: false, reason: 'access_expired', ended_at: '2026-11-20T00:00:00.000Z' }, true],
    [false, { granted: false, reason: 'entitlement_revoked' }, true],
    [false, { granted: false, reason: 'not_entitled' }, false],
  ] satisfies [
    boolean,
    Access,
    boolean,
  ][])('a product with published: %j is known to an account with %j: %j', (published, access, known) => {
    expect(judgeSight({ published }, access)).toEqual(known ? ok(access) : NO_SUCH);
  });
});

test('a hidden product answers as if it did not exist to a caller without an account', () => {
  expect(judgeOpenly({ published: true }).ok).toBe(true);
  expect(judgeOpenly({ published: false })).toEqual(NO_SUCH);
});

test('a use case rewords an unknown product and passes on other errors', () => {
  const own = refuse('validation_failed');
  expect(unknownAs(targetProduct(products, WIDE, 3), own)).toEqual(own);
  expect(unknownAs(targetProduct(products, WIDE, 1), own)).toEqual(ok(products.get(1)));
  const other = targetProduct(products, { product_id: 2 }, 1);
  expect(unknownAs(other, own)).toEqual(other);
});
