import type { PolicyInForce } from '../../../domain/policy/client-policy.ts';
import type { KeyOf } from './families.ts';
import { CATALOG, padded } from './shared.ts';

/** The client policy lies in the partition of the catalog, so that one query reads both. */
export const policyKey: KeyOf<PolicyInForce> = { pk: CATALOG, sk: `POLICY#${padded(0)}` };
