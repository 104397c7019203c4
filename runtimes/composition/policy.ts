import { ActivateSigningKey } from '../../application/policy/activate-signing-key.ts';
import { CreateSigningKey } from '../../application/policy/create-signing-key.ts';
import { ListVerificationKeys } from '../../application/policy/list-verification-keys.ts';
import { RevokeSigningKey } from '../../application/policy/revoke-signing-key.ts';
import { ShowClientConfig } from '../../application/policy/show-client-config.ts';
import { areaModule, type Overrides } from './binder.ts';

/** The client policy and the keys that it is signed with. */
export const policy = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('showClientConfig', ShowClientConfig, (part) => ({
        catalogs: part.catalogs,
        policyKeys: part.policyKeys,
        policySigner: part.policySigner,
        clock: part.clock,
      }))
      .part('listVerificationKeys', ListVerificationKeys, ({ policyKeys, licenseSigner }) => ({
        policyKeys,
        licenseSigner,
      }))
      .part('createSigningKey', CreateSigningKey, ({ keyRings, policySigner, clock, pauses }) => ({
        keyRings,
        policySigner,
        clock,
        pauses,
      }))
      .part('activateSigningKey', ActivateSigningKey, ({ keyRings, clock, pauses }) => ({ keyRings, clock, pauses }))
      .part('revokeSigningKey', RevokeSigningKey, ({ keyRings, clock, pauses }) => ({ keyRings, clock, pauses })),
  );
