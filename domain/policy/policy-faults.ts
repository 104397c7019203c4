import { dangling, type Fault, repeats } from '../shared/fault.ts';
import type { PolicyWish } from './client-policy.ts';

/** The faults of a policy's references. `at` is the path of the policy in its document, with a period at its end. */
export const policyFaults = (
  { revoked = [] }: PolicyWish,
  at: string,
  products: { has(id: number): boolean },
): Fault[] => [
  ...revoked.flatMap(({ product_id }, i) => dangling(`${at}revoked.${i}.product_id`, 'product', product_id, products)),
  ...repeats(
    revoked,
    ({ product_id, device_id }) => `${product_id} ${device_id}`,
    (i) => ({ path: `${at}revoked.${i}`, message: 'names what is revoked already' }),
  ),
];
