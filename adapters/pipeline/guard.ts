import type { LimitAddress, LimitRate } from '../../application/access/limit-rate.ts';
import type { ReadAccess } from '../../application/licensing/access.ts';
import type { Clearance } from '../../application/shared/steps.ts';
import { checkCaller, isEvenHidden, requires } from '../../domain/access/access-rule.ts';
import { actorOf } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Principal } from '../../domain/access/principal.ts';
import type { OwnLimit, RateVerdict } from '../../domain/access/rate-limit.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { type Access, judgeAccess, judgeOpenly, targetProduct } from '../../domain/licensing/access.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { Caller } from './identify.ts';

/** The rate limit's verdict and the access, which are read in parallel. */
export type GuardReads = { readonly rate: RateVerdict; readonly access: Access | undefined };

export type GuardPorts = {
  readonly limitRate: LimitRate;
  readonly limitAddress: LimitAddress;
  readonly readAccess: ReadAccess;
};

/** The guards of a call: rate limit, ability, product scope, target, entitlement, and valid input. */
export class Guard {
  readonly #ports: GuardPorts;

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  /**
   * The verdict on a caller that this process has already seen over its limit; undefined for any other caller. It reads
   * nothing.
   */
  spent(endpoint: EndpointSpec, { owner }: Caller): RateVerdict | undefined {
    const { limitRate } = this.#ports;
    const own = ownLimit(endpoint);
    return limitRate.spent(owner) ?? (own && limitRate.spent(owner, own));
  }

  /**
   * Counts a request whose credential was refused, against its address. An address known to be over its limit is not
   * counted again.
   */
  limitAddress(address: () => string): Promise<RateVerdict> {
    return this.#ports.limitAddress('calls', address);
  }

  /**
   * Checks ability, product scope and target, without a read. The value is the target; undefined for an endpoint
   * without a product, which needs no catalog.
   */
  target(
    endpoint: EndpointSpec,
    product_id: unknown,
    { principal }: Caller,
    catalog: Catalog | null,
  ): Outcome<Product | undefined, RefusalCode> {
    const able = checkCaller(endpoint, principal);
    if (!able.ok) return able;
    if (catalog === null) return ok(undefined);
    const scope = principal.kind === 'account' ? principal : null;
    return targetProduct(catalog.products, scope, product_id as number | null, requires(endpoint, 'scoped'));
  }

  /** Counts a request against its caller, and against the own limit of an endpoint that has one. */
  count(endpoint: EndpointSpec, caller: Caller): Promise<RateVerdict> {
    const counting = this.#ports.limitRate.count(caller.owner);
    const own = this.#countOwn(endpoint, caller);
    if (own === undefined) return counting;
    return Promise.all([counting, own]).then(([all, ofEndpoint]) => (all.allowed ? ofEndpoint : all));
  }

  #countOwn(endpoint: EndpointSpec, { owner }: Caller): Promise<RateVerdict> | undefined {
    const own = ownLimit(endpoint);
    return own && this.#ports.limitRate.count(owner, own);
  }

  /**
   * Counts the request, unless its message was counted. Reads the access of the account, if the caller has an account
   * and the call names a product.
   */
  async reads(
    endpoint: EndpointSpec,
    product: Product | undefined,
    caller: Caller,
    catalog: Catalog | null,
  ): Promise<GuardReads> {
    const { readAccess } = this.#ports;
    const { principal } = caller;
    const { counted } = caller;
    const counting = counted === undefined ? this.count(endpoint, caller) : this.#counted(endpoint, caller, counted);
    if (!product || !catalog || principal.kind !== 'account') return { rate: await counting, access: undefined };
    const reading = readAccess(principal.account_id, product, catalog, principal.memberships);
    const [rate, access] = await Promise.all([counting, reading]);
    return { rate, access };
  }

  /** The verdict on a call in a counted message, which must keep within its endpoint's own limit too. */
  async #counted(endpoint: EndpointSpec, caller: Caller, message: Promise<RateVerdict>): Promise<RateVerdict> {
    const [rate, call] = await Promise.all([message, this.#countOwn(endpoint, caller)]);
    return rate.allowed && call?.allowed === false ? call : rate;
  }

  /** The first refusal in the order of the guards, or the permit. */
  judge(
    endpoint: EndpointSpec,
    { rate, access }: GuardReads,
    target: Outcome<Product | undefined, RefusalCode>,
    input: Outcome<unknown, RefusalCode> | undefined,
    { principal, address }: Caller,
  ): Outcome<Clearance<Access | undefined>, RefusalCode> {
    if (!rate.allowed) return refuse('rate_limited');
    if (!target.ok) return target;
    if (target.value && !isEvenHidden(endpoint)) {
      const judged = access
        ? judgeAccess(target.value, access, requires(endpoint, 'entitlement'))
        : judgeOpenly(target.value);
      if (!judged.ok) return judged;
    }
    if (input && !input.ok) return input;
    return ok({ permit: grantPermit(() => actorOf(principal, endpoint.id, address())), access });
  }
}

const ownLimit = ({ id, perMinute }: EndpointSpec): OwnLimit | undefined =>
  perMinute === undefined ? undefined : { endpoint: id, perMinute };

/** The permit for what the first use of a key writes; null on hosts whose functions on AWS may not change keys. */
export const permitOfUse = ({ host, id }: EndpointSpec, principal: Principal, address: () => string): Permit | null =>
  host === 'api' ? grantPermit(() => actorOf(principal, id, address())) : null;
