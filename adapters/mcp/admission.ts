import type { RecordKeyUse } from '../../application/access/authenticate.ts';
import { checkCaller } from '../../domain/access/access-rule.ts';
import { keyOf, type Principal } from '../../domain/access/principal.ts';
import { ownerOf } from '../../domain/access/rate-limit.ts';
import type { Outcome, Refused } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { type RefusalCode, refusalMessage } from '../../ports/inbound/refusals.ts';
import { answeredTo, limitedReply, type Reply, refusalReply, withRate } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';
import type { Guard } from '../pipeline/guard.ts';
import { bearerOf, type Caller } from '../pipeline/identify.ts';
import { UNTIL_AWAITED } from '../pipeline/invoke.ts';

/** The parts of a WWW-Authenticate challenge (RFC 6750, section 3; RFC 9728, section 5.1). */
export type Challenge = {
  readonly error?: 'invalid_token' | 'insufficient_scope';
  readonly scopes: readonly string[];
  /** The URL of the protected-resource metadata; undefined if the host has no sign-in. */
  readonly metadataUrl: string | undefined;
};

/** Adds the challenge by which a client finds the authorization server and the permissions to request. */
export const challenged = (reply: Reply, { error, scopes, metadataUrl }: Challenge): Reply => {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(metadataUrl === undefined ? [] : [`scope="${scopes.join(' ')}"`, `resource_metadata="${metadataUrl}"`]),
  ];
  return { ...reply, headers: { ...reply.headers, 'www-authenticate': ['Bearer', parts.join(', ')].join(' ').trim() } };
};

/** Identifies the caller of a bearer credential: an API key, or an access token issued for this resource. */
export type IdentifyCaller = (credential: string) => Promise<Outcome<Principal, 'invalid_api_key'>>;

export type AdmissionParts = {
  /** The endpoint whose access rule applies to every message. */
  readonly endpoint: EndpointSpec;
  readonly identify: IdentifyCaller;
  readonly guard: Pick<Guard, 'spent' | 'limitAddress' | 'count'>;
  readonly recordKeyUse: RecordKeyUse;
  /** The URL of the protected-resource metadata (RFC 9728); undefined if the host has no sign-in. */
  readonly metadataUrl: string | undefined;
  /** The permissions that a client should request at its first sign-in. */
  readonly scopes: readonly string[];
  /** The message for an unknown credential, where the endpoint's own message would mislead. */
  readonly invalid?: string;
};

/** A caller who may send messages, with the rate verdict of this message. */
export type MessageSender = {
  readonly caller: Required<Caller>;
  /** Records the use of the key, at most once an hour. */
  readonly using: Promise<void> | undefined;
};

/** The permissions that a caller already has, so that the next authorization request keeps them. */
export const scopesOf = (principal: Principal): readonly string[] =>
  principal.kind === 'account' && principal.credential.kind === 'token' ? principal.abilities : [];

export const isSignedIn = (principal: Principal): boolean =>
  principal.kind === 'account' && principal.credential.kind === 'token';

/**
 * Identifies the caller and counts the request, once per HTTP request: credential → rate limit → ability. An invalid
 * credential counts against the address. A caller that is known to be over its limit is refused before its body is
 * read. Every other message counts here, whatever it calls.
 */
export const admission =
  (parts: AdmissionParts) =>
  async (request: HostRequest): Promise<MessageSender | { readonly reply: Reply }> => {
    const { headers, address } = request;
    const { endpoint, identify, guard, recordKeyUse, metadataUrl, scopes } = parts;
    const logged = (reply: Reply, principal: Principal | null, code: RefusalCode): Reply => ({
      ...reply,
      answered: answeredTo(endpoint, principal, code),
    });
    const bearer = bearerOf(headers['authorization'], endpoint.access.credential === 'agent' ? 'agent token' : 'key');
    const identified = bearer.ok ? await identify(bearer.value) : bearer;
    if (!identified.ok) {
      const rate = await guard.limitAddress(address);
      const reply = rate.allowed ? withRate(unknown(identified, parts), rate) : limitedReply(rate, request);
      return { reply: logged(reply, null, rate.allowed ? identified.code : 'rate_limited') };
    }
    const principal = identified.value;
    const caller = { principal, address, owner: ownerOf(principal, address) };
    const key = keyOf(principal);
    const using = key ? recordKeyUse(key) : undefined;
    using?.catch(UNTIL_AWAITED);
    const spent = guard.spent(endpoint, caller);
    if (spent) return { reply: logged(limitedReply(spent, request), principal, 'rate_limited') };
    const counted = guard.count(endpoint, caller);
    counted.catch(UNTIL_AWAITED);
    const able = checkCaller(endpoint, principal);
    if (able.ok) return { caller: { ...caller, counted }, using };
    const rate = await counted;
    if (!rate.allowed) return { reply: logged(limitedReply(rate, request), principal, 'rate_limited') };
    const reply = logged(refusalReply(able), principal, able.code);
    const needed = [...new Set([...scopes, ...scopesOf(principal)])];
    return {
      reply: withRate(
        isSignedIn(principal) ? challenged(reply, { error: 'insufficient_scope', scopes: needed, metadataUrl }) : reply,
        rate,
      ),
    };
  };

const unknown = (refused: Refused<RefusalCode>, { endpoint, scopes, metadataUrl, invalid }: AdmissionParts): Reply => {
  const isInvalid = refused.code === 'invalid_api_key';
  const sentence = refusalMessage(refused.code, endpoint.access.credential);
  const reply = refusalReply({ ...refused, message: refused.message ?? (isInvalid ? invalid : undefined) ?? sentence });
  return challenged(reply, { ...(isInvalid && { error: 'invalid_token' }), scopes, metadataUrl });
};
