import { hash } from 'node:crypto';
import type { AnswerOnce } from '../../application/access/answer-once.ts';
import type { Clearance } from '../../application/shared/steps.ts';
import { keyOf } from '../../domain/access/principal.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Access } from '../../domain/licensing/access.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { type Caller, ownerIn } from './caller.ts';
import type { AnyCall, AnyHandler, AnyHandlers } from './handler.ts';
import type { Input, RawInput } from './input.ts';

export type HandlerAnswer = {
  readonly outcome: Outcome<unknown, string>;
  /** True if the outcome is that of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
};

/** A call for the handler. */
export type HandlerCall = {
  readonly caller: Caller;
  readonly raw: RawInput;
  readonly params: unknown;
  readonly product: Product | undefined;
  readonly input: Input;
};

export type Loading = ReturnType<AnyHandler>;

export type Parts = { readonly handlers: AnyHandlers; readonly answerOnce: AnswerOnce };

/**
 * Calls the endpoint's handler. A request with an Idempotency-Key is handled once, however often the client sends it.
 */
export class Handle {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Throws if no area answers the endpoint. */
  check({ id }: EndpointSpec): void {
    this.#handlerOf(id);
  }

  #handlerOf(id: string): AnyHandler {
    const handler = this.#parts.handlers[id];
    if (!handler) throw new Error(`The service was built without the area that answers ${id}.`);
    return handler;
  }

  /** The handler's first step, which may run beside the gates. */
  load(endpoint: EndpointSpec, work: HandlerCall): Loading {
    return this.#handlerOf(endpoint.id)(callOf(work));
  }

  /** The handler's second step, for a request that passed the gates. */
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
      key: { owner: ownerIn(work.caller), endpoint: endpoint.id, key },
      fingerprint: fingerprintOf(work),
      permit: passed.permit,
      work: finish,
    });
  }
}

const callOf = ({ caller, raw, params, product, input }: HandlerCall): AnyCall => ({
  ...input,
  caller: caller.principal,
  owner: ownerIn(caller),
  key: keyOf(caller.principal),
  locale: raw.locale,
  requestName: raw.idempotencyKey ?? null,
  params,
  product,
});

/**
 * The hash of everything that a request asks. It includes the product that the caller is bound to, so that a caller
 * bound to another product never gets the kept answer.
 */
const fingerprintOf = ({ caller: { principal }, params, input }: HandlerCall): string => {
  const scope = principal.kind === 'account' ? principal.product_id : null;
  const files = Object.values(input.files).map((file) => file?.sha256);
  return hash('sha256', JSON.stringify([scope, params, input.query, input.body, ...files]), 'base64url');
};
