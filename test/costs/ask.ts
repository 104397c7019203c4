import { bodyAtHand } from '../../adapters/pipeline/input.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { Service } from '../../runtimes/composition/service.ts';
import { ASSET, DRAFT, goodBody, LINEAGE, ORDER, RELEASE, slugOf } from '../surface/good-requests.ts';

export type Ask = {
  readonly endpoint: EndpointSpec;
  readonly key: string;
  readonly product: number;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The body of the request. By default it is the endpoint's valid sample. */
  readonly body?: object;
  readonly idempotencyKey?: string;
};

/** Sends a request to the invoker, without HTTP. Throws if it is refused. */
export const ask = async (
  service: Service,
  { endpoint, key, product, query = {}, body, idempotencyKey }: Ask,
): Promise<void> => {
  const { outcome } = await service.get('invoker').answer(
    endpoint,
    {
      params: {
        product: String(product),
        path: ASSET,
        order: String(ORDER),
        id: String(product),
        release: String(RELEASE),
        slug: endpoint.host === 'design' ? slugOf(product) : LINEAGE,
        number: String(DRAFT),
      },
      query,
      body: bodyAtHand(body ?? goodBody(endpoint, product)),
      locale: 'en',
      idempotencyKey,
    },
    { authorization: `Bearer ${key}`, address: () => '127.0.0.1' },
  );
  if (!outcome.ok) throw new Error(`${endpoint.id} answers ${JSON.stringify(outcome)}.`);
};
