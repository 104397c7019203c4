import { describe, expect, test } from 'vitest';
import {
  DEFAULT_POLICY,
  isWithdrawn,
  MOST_REVOKED,
  withoutWithdrawn,
  withWithdrawn,
} from '../../../domain/policy/client-policy.ts';

const LAPTOP = { product_id: 1, device_id: 'laptop' };
const policyOf = (count: number) => ({
  ...DEFAULT_POLICY,
  revoked: Array.from({ length: count }, (_, n) => ({ product_id: 1, device_id: `device-${n}` })),
});

describe('the devices that a policy withdraws', () => {
  test('a device can be withdrawn from one product and allowed again', () => {
    const withdrawn = withWithdrawn(DEFAULT_POLICY, LAPTOP);
    if (!withdrawn.ok) throw new Error(withdrawn.message);
    expect(isWithdrawn(withdrawn.value, LAPTOP)).toBe(true);
    expect(isWithdrawn(withdrawn.value, { ...LAPTOP, product_id: 2 })).toBe(false);
    expect(withoutWithdrawn(withdrawn.value, LAPTOP)).toEqual(DEFAULT_POLICY);
  });

  test('withdrawing a device again changes nothing, even in a full policy', () => {
    const full = policyOf(MOST_REVOKED);
    expect(withWithdrawn(full, { product_id: 1, device_id: 'device-7' })).toEqual({ ok: true, value: full });
    expect(withoutWithdrawn(full, LAPTOP)).toBe(full);
  });

  test('a policy accepts its last device and refuses the next one with advice', () => {
    expect(withWithdrawn(policyOf(MOST_REVOKED - 1), LAPTOP)).toMatchObject({ ok: true });
    expect(withWithdrawn(policyOf(MOST_REVOKED), LAPTOP)).toMatchObject({
      ok: false,
      code: 'policy_is_full',
      message: expect.stringMatching(/^The client policy lists 2000 withdrawn devices, .* with "device restore"/),
    });
  });
});
