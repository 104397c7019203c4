import { hash } from 'node:crypto';
import type { AnswerOnce } from '../../application/access/answer-once.ts';
import type { RecordKeyUse } from '../../application/access/authenticate.ts';
import { type Progress, unseen } from '../../application/shared/progress.ts';
import type { Clearance } from '../../application/shared/steps.ts';
import { ANYONE, keyOf, type Principal } from '../../domain/access/principal.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import { ownerOf } from '../../domain/access/rate-limit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Access } from '../../domain/licensing/access.ts';
import { type Outcome, refuse } from '../../domain/shared/outcome.ts';
import { type EndpointSpec, isOfAccounts, isOfProduct, isOpen } from '../../ports/inbound/endpoint.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import { type Guard, permitOfUse } from './guard.ts';
import type { AnyCall, AnyHandler, AnyHandlers } from './handler.ts';
import type { Caller, Identify } from './identify.ts';
import { paramsOf, type RawInput, type ValidInput, validated } from './input.ts';

export type HandlerAnswer = {
  readonly outcome: Outcome<unknown, string>;
  /** True if the outcome is that of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
};

export type HandlerCall = {
  readonly caller: Caller;
  readonly raw: RawInput;
  readonly params: unknown;
  readonly product: Product | undefined;
  readonly input: ValidInput;
  /** Receives the progress of long work; absent from requests whose sender only waits. */
  readonly progress?: Progress;
};

export type Loading = ReturnType<AnyHandler>;

export type HandleParts = { readonly handlers: AnyHandlers; readonly answerOnce: AnswerOnce };

/**
 * Calls the endpoint's handler. A request with an Idempotency-Key is handled once, however often the client sends it.
 */
export class Handle {
  readonly #parts: HandleParts;

  constructor(parts: HandleParts) {
    this.#parts = parts;
  }

  /** Throws if the endpoint has no handler. */
  check({ id }: EndpointSpec): void {
    this.#handlerOf(id);
  }

  #handlerOf(id: string): AnyHandler {
    const handler = this.#parts.handlers[id];
    if (!handler) throw new Error(`The service was built without the area that answers ${id}.`);
    return handler;
  }

  /** The handler's first step, which may run in parallel with the guards. */
  load(endpoint: EndpointSpec, work: HandlerCall): Loading {
    return this.#handlerOf(endpoint.id)(callOf(work));
  }

  /** The handler's second step, for a request that passed the guards. */
  async finish(
    endpoint: EndpointSpec,
    work: HandlerCall,
    loaded: Awaited<Loading>,
    passed: Clearance<Access | undefined>,
  ): Promise<HandlerAnswer> {
    const finish = async () => (typeof loaded === 'function' ? loaded(passed) : loaded);
    const key = endpoint.idempotent ? work.raw.idempotencyKey : undefined;
    if (key === undefined) return { outcome: await finish(), replayed: false };
    return this.#parts.answerOnce({
      key: { owner: work.caller.owner, endpoint: endpoint.id, key },
      fingerprint: fingerprintOf(work),
      permit: passed.permit,
      work: finish,
    });
  }
}

const callOf = ({
  caller: { principal, owner },
  raw,
  params,
  product,
  input,
  progress = unseen,
}: HandlerCall): AnyCall => {
  const account = principal.kind === 'account' ? principal : undefined;
  return {
    ...input,
    caller: principal,
    account_id: account?.account_id,
    scope: account,
    owner,
    progress,
    key: keyOf(principal),
    locale: raw.locale,
    requestName: raw.idempotencyKey ?? null,
    params,
    product,
  };
};

/**
 * The hash of everything that determines the request's answer. It includes the product that the caller is bound to, so
 * a caller bound to another product never gets the stored answer.
 */
const fingerprintOf = ({ caller: { principal }, params, input }: HandlerCall): string => {
  const scope = principal.kind === 'account' ? principal.product_id : null;
  const files = Object.values(input.files).map((file) => file?.sha256);
  return hash('sha256', JSON.stringify([scope, params, input.query, input.body, ...files]), 'base64url');
};

/** Prevents an unhandled rejection of a promise that is awaited later, where the fault surfaces. */
export const UNTIL_AWAITED = (): void => {};

/** The credential and the address of a request's sender, as the mount received them. */
export type Sender = { readonly authorization: string | undefined; readonly address: () => string };

export type Answer = {
  readonly outcome: Outcome<unknown, string>;
  readonly rate: RateVerdict;
  /** Null if the credential was refused. */
  readonly principal: Principal | null;
  /** True if the outcome is that of an earlier request with the same Idempotency-Key. */
  readonly replayed?: boolean;
  /** A fault that did not affect the answer, for the log: the use of the key could not be recorded. */
  readonly fault?: unknown;
};

export type Parts = {
  readonly identify: Identify;
  readonly guard: Guard;
  readonly handle: Handle;
  readonly recordKeyUse: RecordKeyUse;
  readonly catalogs: Catalogs;
};

/**
 * The only way into every use case, for HTTP and MCP alike. Refusals follow this order: credential → rate limit →
 * ability → product scope → target exists → entitlement → input valid → use case. The reads run in parallel: once the
 * caller is known, the limiter, the entitlements and the handler's own reads start together, so a call that only reads
 * takes two sequential round trips to the store. Writes need the permit, which exists only after every guard.
 */
export class Invoker {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Throws if the service can't identify the endpoint's callers or has no handler, so no host serves it. */
  check(endpoint: EndpointSpec): void {
    this.#parts.identify.check(endpoint);
    this.#parts.handle.check(endpoint);
  }

  /**
   * Identifies the caller of one request, records the use of its key at most once an hour, and invokes the endpoint. A
   * refused credential counts against the address.
   */
  async answer(endpoint: EndpointSpec, raw: RawInput, { authorization, address }: Sender): Promise<Answer> {
    const { identify, guard, recordKeyUse, catalogs } = this.#parts;
    const identifying = identify.execute(endpoint, authorization, permitOfUse(endpoint, ANYONE, address));
    // Most endpoints with a key read the catalog; in parallel with the credential, it costs no extra round trip.
    if (isOfAccounts(endpoint)) catalogs.current().catch(UNTIL_AWAITED);
    const identified = await identifying;
    if (!identified.ok) {
      const rate = await guard.limitAddress(address);
      return { outcome: rate.allowed ? identified : refuse('rate_limited'), rate, principal: null };
    }
    const principal = identified.value;
    const key = keyOf(principal);
    const recording = key ? recordKeyUse(key, permitOfUse(endpoint, principal, address)) : undefined;
    recording?.catch(UNTIL_AWAITED);
    const answer = await this.invoke(endpoint, raw, { principal, address, owner: ownerOf(principal, address) });
    if (!recording) return answer;
    try {
      await recording;
      return answer;
    } catch (fault) {
      // The next request with the key records the use again, so the fault does not affect this request.
      return { ...answer, fault };
    }
  }

  /**
   * Invokes an endpoint for an identified caller, who may invoke any number of endpoints. A call that was counted with
   * its message counts again only against the endpoint's own limit, if there is one.
   */
  async invoke(endpoint: EndpointSpec, raw: RawInput, identified: Caller): Promise<Answer> {
    const { guard, handle, catalogs } = this.#parts;
    const caller = isOpen(endpoint) ? { ...identified, principal: ANYONE } : identified;
    const { principal } = caller;
    const spent = guard.spent(endpoint, caller);
    if (spent) return { outcome: refuse('rate_limited'), rate: spent, principal };
    const params = paramsOf(endpoint, raw);
    // A call that names no product has no target; its input is refused later.
    const catalog = isOfProduct(endpoint) && !params.errors ? await catalogs.current() : null;
    const target = guard.target(endpoint, params.values['product'], caller, catalog);
    const product = target.ok ? target.value : undefined;
    const reads = guard.reads(endpoint, product, caller, catalog);
    reads.catch(UNTIL_AWAITED);
    const limitFirst = raw.body.isCostly || principal.kind === 'anyone';
    const mayRead = target.ok && (!limitFirst || (await reads).rate.allowed);
    const input = mayRead ? await validated(endpoint, raw, params, caller.owner) : undefined;
    const work = input?.ok && { caller, raw, params: params.values, product, input: input.value };
    const loading = work ? handle.load(endpoint, work) : undefined;
    loading?.catch(UNTIL_AWAITED);
    const read = await reads;
    const { rate } = read;
    const passed = guard.judge(endpoint, read, target, input, caller);
    // Without valid input, the judgment is a refusal.
    if (!passed.ok || !work || !loading) return { outcome: passed, rate, principal };
    const handled = await handle.finish(endpoint, work, await loading, passed.value);
    return { ...handled, rate, principal };
  }
}
