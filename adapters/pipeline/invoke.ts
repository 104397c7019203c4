import type { Authenticate } from '../../application/access/authenticate.ts';
import type { LimitRate } from '../../application/access/limit-rate.ts';
import type { ReadAccess } from '../../application/access/read-access.ts';
import type { RecordKeyUse } from '../../application/access/record-key-use.ts';
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
import { fieldErrors, summary } from './validation.ts';

/** Who calls, as the transport knows it. */
export type Caller = {
  readonly authorization: string | undefined;
  /** The client's network address, as the socket or a trusted proxy names it; asked for where there is no valid key. */
  readonly address: () => string;
  readonly locale: Locale;
};

/** The input before validation. A body that could not be read is a refusal. */
export type RawInput = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Promise<Outcome<unknown, RefusalCode>>;
};

export type Answer = {
  readonly outcome: Outcome<unknown, RefusalCode>;
  /** Absent where no limit was counted. */
  readonly rate: RateVerdict | undefined;
  readonly accountId: number | null;
};

type Ports = {
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

const productId = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;

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
    if (endpoint.access.credential === 'none') return this.#open(endpoint, raw, caller);
    raw.body.catch(ignore);
    const [key, catalog] = await Promise.all([authenticate.execute(caller.authorization), catalogs.current()]);
    if (!key.ok) {
      const rate = await limitRate.execute({ address: caller.address() });
      return { outcome: rate.allowed ? key : refuse('rate_limited'), rate, accountId: null };
    }
    const limited = limitRate.execute({ account: key.value.account_id });
    const used = recordKeyUse.execute(key.value);
    const work = this.#admit(endpoint, raw, caller, key.value, catalog, limited);
    const [outcome, rate] = await Promise.all([work, limited, used]);
    return { outcome, rate, accountId: key.value.account_id };
  }

  /** An endpoint without a credential; its address is what is limited. */
  async #open(endpoint: EndpointSpec, raw: RawInput, caller: Caller): Promise<Answer> {
    raw.body.catch(ignore);
    const rate = await this.#ports.limitRate.execute({ address: caller.address() });
    if (!rate.allowed) return { outcome: refuse('rate_limited'), rate, accountId: null };
    const input = await this.#validated(endpoint, raw);
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
  ): Promise<Outcome<unknown, RefusalCode>> {
    const target = this.#target(endpoint, raw, key, catalog);
    const product = target.ok ? target.value : undefined;
    const access = product && this.#ports.readAccess.execute(key.account_id, product, catalog);
    access?.catch(ignore);
    const input = target.ok ? await this.#validated(endpoint, raw) : undefined;
    const gate = this.#gate(endpoint, limited, target, product, access, input);
    const admitted = gate.then((refusal) => {
      if (refusal) throw new TurnedAway();
    });
    admitted.catch(ignore);
    if (!input?.ok) return (await gate) as Refusal;
    const granted = access && Promise.all([access, admitted]).then(([value]) => value);
    granted?.catch(ignore);
    const call = { key, locale: caller.locale, path: raw.path, ...input.value, admitted, product };
    const work = this.#handler(endpoint)({ ...call, access: needsEntitlement(endpoint) ? granted : access });
    work.catch(ignore);
    return (await gate) ?? (await work);
  }

  /** Ability, scope and target, which need nothing that has to be read. */
  #target(
    endpoint: EndpointSpec,
    raw: RawInput,
    key: ApiKey,
    catalog: Catalog,
  ): Outcome<Product | undefined, RefusalCode> {
    const rule = endpoint.access.credential === 'key' ? endpoint.access : undefined;
    const able = checkAbility(key, rule?.ability);
    if (!able.ok) return able;
    if (!endpoint.path.includes('{product}')) return ok(undefined);
    const id = productId(raw.path['product']);
    const scoped = checkProductScope(key, id ?? 0, rule?.requires?.includes('scoped'));
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

  async #validated(
    endpoint: EndpointSpec,
    raw: RawInput,
  ): Promise<Outcome<{ query: unknown; body: unknown }, RefusalCode>> {
    const read = endpoint.body ? await raw.body : ok(null);
    if (!read.ok) return read;
    const query = endpoint.query?.safeParse(raw.query);
    const body = endpoint.body?.safeParse(read.value);
    const errors = {
      ...(query && !query.success ? fieldErrors(query.error.issues, raw.query) : {}),
      ...(body && !body.success ? fieldErrors(body.error.issues, read.value) : {}),
    };
    if (Object.keys(errors).length > 0)
      return refuse('validation_failed', { message: summary(errors), data: { errors } });
    return ok({ query: query?.data ?? null, body: body?.data ?? null });
  }

  #handler(endpoint: EndpointSpec): AnyHandler {
    return this.#ports.endpointHandlers.byId[endpoint.id as EndpointId] as AnyHandler;
  }
}

const needsEntitlement = ({ access }: EndpointSpec): boolean =>
  access.credential === 'key' && access.requires?.includes('entitlement') === true;
