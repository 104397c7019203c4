import { ok } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { ASSET, goodBody, LINEAGE, ORDER, RELEASE } from '../surface/good-requests.ts';

export type Ask = {
  readonly endpoint: EndpointSpec;
  readonly key: string;
  readonly product: number;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The endpoint's sample where left out. */
  readonly body?: object;
  readonly idempotencyKey?: string;
};

/** Sends a request past HTTP, as every transport does. Throws where it is refused. */
export const ask = async (
  service: Service,
  { endpoint, key, product, query = {}, body, idempotencyKey }: Ask,
): Promise<void> => {
  const { outcome } = await service.get('invoker').invoke(
    endpoint,
    {
      path: {
        product: String(product),
        path: ASSET,
        order: String(ORDER),
        id: String(product),
        release: String(RELEASE),
        slug: LINEAGE,
      },
      query,
      body: async () => ok(body ?? goodBody(endpoint, product)),
    },
    { authorization: `Bearer ${key}`, address: () => '127.0.0.1', locale: 'en', idempotencyKey },
  );
  if (!outcome.ok) throw new Error(`${endpoint.id} answers ${JSON.stringify(outcome)}.`);
};
