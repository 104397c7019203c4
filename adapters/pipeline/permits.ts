import { checkAbility, hasRole, keyOf, type Principal } from '../../domain/access/principal.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { abilityOf, type EndpointSpec, requires } from '../../ports/inbound/endpoint.ts';

type Refusal = 'invalid_api_key' | 'missing_api_key_ability' | 'product_api_key_scope_required';

/**
 * Checks the kind of credential, then the ability or role. These gates need only the caller and the declaration. They
 * come before any look-up, so that a caller without the ability can't learn whether an id exists.
 */
export const checkCaller = (
  endpoint: EndpointSpec,
  principal: Principal,
): Outcome<null, Exclude<Refusal, 'product_api_key_scope_required'>> => {
  const { access } = endpoint;
  switch (access.credential) {
    case 'none':
    case 'gallery':
      return ok(null);
    case 'agent':
      if (principal.kind !== 'agent') return refuse('invalid_api_key');
      return access.role === undefined || hasRole(principal.role, access.role)
        ? ok(null)
        : refuse('missing_api_key_ability', {
            message: `This agent token lacks the role ${access.role}; it has the role ${principal.role}.`,
          });
    case 'key?':
      return principal.kind === 'anyone' ? ok(null) : checkAccount(endpoint, principal);
    case 'key':
      return checkAccount(endpoint, principal);
  }
};

const checkAccount = (endpoint: EndpointSpec, principal: Principal) => {
  if (principal.kind !== 'account') return refuse('invalid_api_key');
  if (endpoint.actsOnKey && keyOf(principal) === null) return refuse('invalid_api_key');
  return checkAbility(principal, abilityOf(endpoint));
};

/**
 * True if the caller may call the endpoint for some target; callers are shown only such tools. A caller that is bound
 * to no product can't call an endpoint that requires a binding.
 */
export const permits = (principal: Principal, endpoint: EndpointSpec): boolean =>
  checkCaller(endpoint, principal).ok &&
  !(requires(endpoint, 'scoped') && principal.kind === 'account' && principal.product_id === null);
