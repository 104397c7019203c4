import { hash } from 'node:crypto';
import type { AnswerOnce } from '../../application/access/answer-once.ts';
import type { Settled } from '../../application/shared/settled.ts';
import { keyOf } from '../../domain/access/principal.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { type Caller, ownerIn } from './caller.ts';
import type { Gate } from './gate.ts';
import type { AnyCall, AnyHandler, AnyHandlers } from './handler.ts';
import type { Input, RawInput } from './input.ts';

export type Handled = {
  readonly outcome: Outcome<unknown, string>;
  /** True if the outcome is that of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
};

/** A call for the handler, which may read before the gate opens. */
export type Work = {
  readonly caller: Caller;
  readonly raw: RawInput;
  readonly params: unknown;
  readonly product: Product | undefined;
  readonly input: Input;
  readonly gate: Gate;
};

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

  /** The end of the work. It never rejects, because nobody waits for the work of a request that a gate refuses. */
  async execute(endpoint: EndpointSpec, work: Work): Promise<Settled<Handled>> {
    try {
      const handler = this.#handlerOf(endpoint.id);
      const key = endpoint.idempotent ? work.raw.idempotencyKey : undefined;
      const handled =
        key === undefined
          ? { outcome: await handler(callOf(work)), replayed: false }
          : await this.#once(endpoint, work, key, handler);
      return { value: handled };
    } catch (fault) {
      return { fault };
    }
  }

  async #once(endpoint: EndpointSpec, work: Work, key: string, handler: AnyHandler): Promise<Handled> {
    const call = callOf(work);
    const { outcome, replayed } = await this.#parts.answerOnce({
      key: { owner: call.owner, endpoint: endpoint.id, key },
      fingerprint: fingerprintOf(work),
      permit: call.permit,
      work: (permit) => handler({ ...call, permit }),
    });
    return { outcome: outcome as Outcome<unknown, string>, replayed };
  }
}

const callOf = ({ caller, raw, params, product, input, gate }: Work): AnyCall => ({
  ...input,
  caller: caller.principal,
  owner: ownerIn(caller),
  key: keyOf(caller.principal),
  locale: raw.locale,
  requestName: raw.idempotencyKey ?? null,
  params,
  product,
  permit: gate.permit,
  access: gate.access,
});

/**
 * The hash of everything that a request asks. It includes the product that the caller is bound to, so that a caller
 * bound to another product never gets the kept answer.
 */
const fingerprintOf = ({ caller: { principal }, params, input }: Work): string => {
  const scope = principal.kind === 'account' ? principal.product_id : null;
  const files = Object.values(input.files).map((file) => file?.sha256);
  return hash('sha256', JSON.stringify([scope, params, input.query, input.body, ...files]), 'base64url');
};
