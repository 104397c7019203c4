import {
  type PolicyDocument,
  type PolicyInForce,
  policyDocument,
  signedAt,
} from '../../domain/policy/client-policy.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { currentKey } from '../../domain/signing/signing-key-ring.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type SignedPolicy = PolicyDocument & { readonly signature?: string };

type CachedPolicy = { readonly kid: string | undefined; readonly signed_at: Instant; readonly document: SignedPolicy };

type Ports = Needs<'catalogs' | 'clock' | 'policyKeys' | 'policySigner'>;

/**
 * The client policy in force, signed (`ClientConfigData` in the OpenAPI document). Every caller gets the same document
 * from every process. It is signed again after a change and before the signature gets old. Without a key the document
 * has no signature.
 */
export const showClientConfig = ({ catalogs, policyKeys, policySigner, clock }: Ports) => {
  const documents = new WeakMap<PolicyInForce, CachedPolicy>();

  return async function showClientConfig(): Promise<SignedPolicy> {
    const [{ policy }, ring] = await Promise.all([catalogs.current(), policyKeys.current()]);
    const now = clock.now();
    const key = currentKey(ring, now);
    const signed_at = signedAt(policy, key?.current_from ?? null, now);
    const made = documents.get(policy);
    if (made?.kid === key?.kid && made?.signed_at === signed_at) return made.document;
    const unsigned = policyDocument(policy, signed_at);
    const document = key ? { ...unsigned, signature: policySigner.sign(key, unsigned) } : unsigned;
    documents.set(policy, { kid: key?.kid, signed_at, document });
    return document;
  };
};
