import { hash } from 'node:crypto';
import type { AnswerOnce } from '../../application/access/answer-once.ts';
import { keyOf } from '../../domain/access/principal.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { type Caller, ownerIn } from './caller.ts';
import type { Passed } from './guard.ts';
import type { AnyCall, AnyHandlers } from './handler.ts';
import type { Input, RawInput } from './input.ts';

export type Handled = {
  readonly outcome: Outcome<unknown, RefusalCode>;
  /** True if the outcome is that of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
};

/** A call for the handler. `passed` never settles for a request that a gate refused. */
export type Work = {
  readonly caller: Caller;
  readonly raw: RawInput;
  readonly params: unknown;
  readonly product: Product | undefined;
  readonly input: Input;
  readonly passed: Promise<Passed>;
};

type Parts = { readonly handlers: AnyHandlers; readonly answerOnce: AnswerOnce };

/**
 * Calls the endpoint's handler. A request with an Idempotency-Key is handled once, however often the client sends it.
 */
export class Handle {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async execute(endpoint: EndpointSpec, work: Work): Promise<Handled> {
    const { answerOnce, handlers } = this.#parts;
    const { caller, raw, passed } = work;
    const handler = handlers[endpoint.id];
    if (!handler) throw new Error(`The service was built without the area that answers ${endpoint.id}.`);
    const call = callOf(work);
    const key = raw.idempotencyKey;
    if (!endpoint.idempotent || key === undefined) return { outcome: await handler(call), replayed: false };
    const { outcome, replayed } = await answerOnce.execute({
      key: { owner: ownerIn(caller), endpoint: endpoint.id, key },
      fingerprint: fingerprintOf(work),
      permit: passed.then(({ permit }) => permit),
      work: (permit) => handler({ ...call, permit }),
    });
    return { outcome: outcome as Outcome<unknown, RefusalCode>, replayed };
  }
}

const callOf = ({ caller, raw, params, product, input, passed }: Work): AnyCall => ({
  ...input,
  caller: caller.principal,
  owner: ownerIn(caller),
  key: keyOf(caller.principal),
  locale: raw.locale,
  requestName: raw.idempotencyKey ?? null,
  params,
  product,
  permit: passed.then(({ permit }) => permit),
  access: passed.then(({ access }) => access),
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
