import type { Progress } from '../../application/shared/progress.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { AgentPrincipal } from '../../domain/access/principal.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { paramsOf, type RawInput, validated } from './input.ts';
import type { Handle } from './invoke.ts';

/** The operator has the permissions of a token with the role `everything`. No token has the id 0. */
const principal: AgentPrincipal = { kind: 'agent', id: 0, role: 'everything', name: 'operator' };
const owner = { kind: 'agent', id: 0 } as const;

/**
 * Invokes an endpoint for the operator on the machine of the store. No guard applies, but the input is validated as for
 * any other caller. The permit names the command for the audit log.
 */
export const operate = async (
  handle: Handle,
  endpoint: EndpointSpec,
  raw: RawInput,
  { permit, progress }: { readonly permit: Permit; readonly progress: Progress },
): Promise<Outcome<unknown, string>> => {
  const params = paramsOf(endpoint, raw);
  const input = await validated(endpoint, raw, params, owner);
  if (!input.ok) return input;
  const caller = { principal, owner, address: () => '' };
  const work = { caller, raw, params: params.values, product: undefined, input: input.value, progress };
  const loaded = await handle.load(endpoint, work);
  return (await handle.finish(endpoint, work, loaded, { permit, access: undefined })).outcome;
};
