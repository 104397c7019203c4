import type { AccessRule } from '../../domain/access/access-rule.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { ANYONE, type Principal } from '../../domain/access/principal.ts';
import type { Owner, RateVerdict } from '../../domain/access/rate-limit.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { type RefusalCode, refusalMessage } from '../../ports/inbound/refusals.ts';

/** An identified caller, and the owner of its rate limit. */
export type Caller = {
  readonly principal: Principal;
  readonly address: () => string;
  /** The owner of the limits that the call counts against. Public endpoints also know the sender of a message. */
  readonly owner: Owner;
  /** The verdict on the message that contains the call, in place of the call's own; absent from plain requests. */
  readonly counted?: Promise<RateVerdict>;
};

/** Finds the principal of a bearer credential. With the permit, the first use of a license key binds it to an account. */
export type Identifier = (
  credential: string,
  evenSuspended: boolean,
  permit: Permit | null,
) => Promise<Outcome<Principal, 'invalid_api_key'>>;

/** The identifiers of a service by kind of credential. A new kind of caller adds one. */
export type Identifiers = { readonly key: Identifier; readonly agent?: Identifier };

const kindOf = ({ credential }: AccessRule): keyof Identifiers | null => {
  switch (credential) {
    case 'key':
    case 'key?':
      return 'key';
    case 'agent':
      return 'agent';
    default:
      return null;
  }
};

/** The first step of a call: finds the principal of the Authorization header. */
export class Identify {
  readonly #identifiers: Identifiers;

  constructor(identifiers: Identifiers) {
    this.#identifiers = identifiers;
  }

  /** Throws if the service has no identifier for the endpoint's credential, so no host serves the endpoint. */
  check(endpoint: EndpointSpec): void {
    const kind = kindOf(endpoint.access);
    if (kind !== null && !this.#identifiers[kind]) {
      throw new Error(`${endpoint.id} takes the credential "${kind}", which this service can't identify.`);
    }
  }

  /** The principal. It is ANYONE if the endpoint takes no credential, or if its credential is optional and absent. */
  async execute(
    { access }: EndpointSpec,
    authorization: string | undefined,
    permit: Permit | null = null,
  ): Promise<Outcome<Principal, RefusalCode>> {
    const kind = kindOf(access);
    if (kind === null || (access.credential === 'key?' && authorization === undefined)) return ok(ANYONE);
    const credential = bearerOf(authorization, kind === 'agent' ? 'agent token' : 'key');
    const evenSuspended = access.credential === 'key' && access.evenSuspended === true;
    const identified = credential.ok
      ? ((await this.#identifiers[kind]?.(credential.value, evenSuspended, permit)) ?? refuse('invalid_api_key'))
      : credential;
    return identified.ok || kind === 'key' ? identified : inWordsOf(kind, identified);
  }
}

const inWordsOf = (kind: keyof Identifiers, { code, message }: Refused<RefusalCode>): Refused<RefusalCode> =>
  refuse(code, { message: message ?? refusalMessage(code, kind) });

const BEARER = /^Bearer +([^\s]+) *$/i;

/** Characters that people copy along with a value. No credential begins or ends with them. */
const WRAPPED = /^["'<`]|["'>`]$/;

/** The message for a malformed header. It quotes nothing from the header, which may contain a key. */
const howTo = (what: string): string =>
  `Write "Bearer " before the ${what}: the header is "Authorization: Bearer <${what}>", without a colon after Bearer and without quotes or brackets.`;

/**
 * The credential of an Authorization header (RFC 6750, section 2.1). Refuses an absent or empty header with
 * `missing_api_key`, and a malformed header with `invalid_api_key` and a sentence that says how to write it. `what`
 * names the credential in that sentence.
 */
export const bearerOf = (
  header: string | undefined,
  what = 'key',
): Outcome<string, 'missing_api_key' | 'invalid_api_key'> => {
  if (header === undefined || header === '') return refuse('missing_api_key');
  const value = BEARER.exec(header)?.[1];
  return value === undefined || WRAPPED.test(value) ? refuse('invalid_api_key', { message: howTo(what) }) : ok(value);
};
