import { hash } from 'node:crypto';
import type { AnswerOnce } from '../../application/access/answer-once.ts';
import type { Authenticate } from '../../application/access/authenticate.ts';
import type { LimitRate } from '../../application/access/limit-rate.ts';
import type { ReadAccess } from '../../application/access/read-access.ts';
import type { RecordKeyUse } from '../../application/access/record-key-use.ts';
import type { Ability } from '../../domain/access/abilities.ts';
import type { ApiKey } from '../../domain/access/api-key.ts';
import { checkAbility, checkProductScope } from '../../domain/access/gates.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Access } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { EndpointId } from '../../ports/inbound/endpoints.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { AnyHandler } from './call.ts';
import type { EndpointHandlers } from './handlers.ts';
import { idIn, type RawInput, validated } from './input.ts';

/** Who calls, as the transport knows it. */
export type Caller = {
  readonly authorization: string | undefined;
  /** The client's network address, as the socket or a trusted proxy names it; asked for where there is no valid key. */
  readonly address: () => string;
  readonly locale: Locale;
  /** The name that the client gave its request, under which it is answered once. */
  readonly idempotencyKey?: string | undefined;
};

export type Answer = {
  readonly outcome: Outcome<unknown, RefusalCode>;
  /** Absent where no limit was counted. */
  readonly rate: RateVerdict | undefined;
  readonly accountId: number | null;
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed?: true;
};

type Ports = {
  answerOnce: AnswerOnce;
  authenticate: Authenticate;
  limitRate: LimitRate;
  readAccess: ReadAccess;
  recordKeyUse: RecordKeyUse;
  catalogs: Catalogs;
  endpointHandlers: EndpointHandlers;
};

type Refusal = Refused<RefusalCode>;

/** Ends a handler that was started beside the gates when one of them turns the request away. */
class TurnedAway extends Error {
  override name = 'TurnedAway';
}

const ignore = (): void => {};

/**
 * The one way into every use case, for HTTP and MCP alike. What it answers follows this order: credential → rate limit
 * → ability → product scope → target exists → entitlement → input valid → use case. What it reads does not: once the
 * key is known, the limiter, the entitlements and the handler's own reads run side by side, and a handler writes nothing
 * before every gate has passed (`admitted`).
 */
export class Invoker {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async invoke(endpoint: EndpointSpec, raw: RawInput, caller: Caller): Promise<Answer> {
    const { authenticate, limitRate, catalogs, recordKeyUse } = this.#ports;
    if (isOpen(endpoint, caller)) return this.#open(endpoint, raw, caller);
    const [key, catalog] = await Promise.all([authenticate.execute(caller.authorization), catalogs.current()]);
    if (!key.ok) {
      const rate = await limitRate.execute({ address: caller.address() });
      return { outcome: rate.allowed ? key : refuse('rate_limited'), rate, accountId: null };
    }
    const limited = limitRate.execute({ account: key.value.account_id });
    const used = recordKeyUse.execute(key.value);
    const work = this.#admit(endpoint, raw, caller, key.value, catalog, limited);
    const [answer, rate] = await Promise.all([work, limited, used]);
    return { ...answer, rate, accountId: key.value.account_id };
  }

  /** A request without a credential; its address is what is limited. */
  async #open(endpoint: EndpointSpec, raw: RawInput, caller: Caller): Promise<Answer> {
    const { id, perMinute } = endpoint;
    const own = perMinute === undefined ? undefined : { endpoint: id, perMinute };
    const rate = await this.#ports.limitRate.execute({ address: caller.address(), own });
    if (!rate.allowed) return { outcome: refuse('rate_limited'), rate, accountId: null };
    const input = await validated(endpoint, raw);
    const outcome = input.ok
      ? await this.#handler(endpoint)({
          key: null,
          locale: caller.locale,
          path: raw.path,
          ...input.value,
          admitted: Promise.resolve(),
          product: undefined,
          access: undefined,
        })
      : input;
    return { outcome, rate, accountId: null };
  }

  async #admit(
    endpoint: EndpointSpec,
    raw: RawInput,
    caller: Caller,
    key: ApiKey,
    catalog: Catalog,
    limited: Promise<RateVerdict>,
  ): Promise<Pick<Answer, 'outcome' | 'replayed'>> {
    const target = this.#target(endpoint, raw, key, catalog);
    const product = target.ok ? target.value : undefined;
    const access = product && this.#ports.readAccess.execute(key.account_id, product, catalog);
    access?.catch(ignore);
    const read = target.ok && (!raw.isForm || (await limited).allowed);
    const input = read ? await validated(endpoint, raw, caller.idempotencyKey) : undefined;
    const gate = this.#gate(endpoint, limited, target, product, access, input);
    const admitted = gate.then((refusal) => {
      if (refusal) throw new TurnedAway();
    });
    admitted.catch(ignore);
    if (!input?.ok) return { outcome: (await gate) as Refusal };
    const granted = access && Promise.all([access, admitted]).then(([value]) => value);
    granted?.catch(ignore);
    const call = {
      key,
      locale: caller.locale,
      path: raw.path,
      ...input.value,
      admitted,
      product,
      access: needsEntitlement(endpoint) ? granted : access,
    };
    const work = this.#work(endpoint, call, caller.idempotencyKey);
    work.catch(ignore);
    const refusal = await gate;
    return refusal ? { outcome: refusal } : work;
  }

  /** What the handler answers; where the client named its request, once for all the times that it is sent. */
  async #work(
    endpoint: EndpointSpec,
    call: Parameters<AnyHandler>[0] & { key: ApiKey },
    idempotencyKey: string | undefined,
  ): Promise<Pick<Answer, 'outcome' | 'replayed'>> {
    const handler = this.#handler(endpoint);
    if (!endpoint.idempotent || idempotencyKey === undefined) return { outcome: await handler(call) };
    const { key, path, query, body, file, admitted } = call;
    // A key of another product may not ask for the same, and so not be told what came of it.
    const asked = [key.product_id, path, query, body, ...(file ? [file.sha256] : [])];
    const { outcome, replayed } = await this.#ports.answerOnce.execute({
      key: { account: key.account_id, endpoint: endpoint.id, key: idempotencyKey },
      fingerprint: hash('sha256', JSON.stringify(asked), 'base64url'),
      admitted,
      work: (claimed) => handler({ ...call, admitted: claimed }),
    });
    const told = outcome as Outcome<unknown, RefusalCode>;
    return replayed ? { outcome: told, replayed } : { outcome: told };
  }

  /** Ability, scope and target, which need nothing that has to be read. */
  #target(
    endpoint: EndpointSpec,
    raw: RawInput,
    key: ApiKey,
    catalog: Catalog,
  ): Outcome<Product | undefined, RefusalCode> {
    const able = checkAbility(key, abilityFor(endpoint));
    if (!able.ok) return able;
    if (!endpoint.path.includes('{product}')) return ok(undefined);
    const id = idIn(raw.path['product']);
    const scoped = checkProductScope(key, id ?? 0, requires(endpoint, 'scoped'));
    if (!scoped.ok) return scoped;
    const product = id === null ? undefined : catalog.products.get(id);
    return product ? ok(product) : refuse('not_found', { message: 'There is no such product.' });
  }

  /** The first gate that turns the request away, in the specified order; undefined where all let it pass. */
  async #gate(
    endpoint: EndpointSpec,
    limited: Promise<RateVerdict>,
    target: Outcome<Product | undefined, RefusalCode>,
    product: Product | undefined,
    access: Promise<Access> | undefined,
    input: Outcome<unknown, RefusalCode> | undefined,
  ): Promise<Refusal | undefined> {
    if (!(await limited).allowed) return refuse('rate_limited');
    if (!target.ok) return target;
    if (product && access && (needsEntitlement(endpoint) || !product.published)) {
      const { granted } = await access;
      if (!granted && !product.published) return refuse('not_found', { message: 'There is no such product.' });
      if (!granted) return refuse('product_entitlement_required');
    }
    return input && !input.ok ? input : undefined;
  }

  #handler(endpoint: EndpointSpec): AnyHandler {
    return this.#ports.endpointHandlers.byId[endpoint.id as EndpointId] as AnyHandler;
  }
}

/** A request that no key is needed for, and that none is sent with or would be looked at. */
const isOpen = ({ access: { credential } }: EndpointSpec, { authorization }: Caller): boolean =>
  credential === 'none' || (credential === 'key?' && authorization === undefined);

const abilityFor = ({ access }: EndpointSpec): Ability | undefined =>
  access.credential === 'key' ? access.ability : access.credential === 'key?' ? access.keyAbility : undefined;

const requires = ({ access }: EndpointSpec, what: 'entitlement' | 'scoped'): boolean =>
  access.credential === 'key' && access.requires?.includes(what) === true;

const needsEntitlement = (endpoint: EndpointSpec): boolean => requires(endpoint, 'entitlement');
