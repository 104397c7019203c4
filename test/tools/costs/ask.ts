import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BodyOnDemand } from '../../../adapters/pipeline/input.ts';
import type { ReceivedFile } from '../../../application/shared/files.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { ASSET, DRAFT, goodBody, LINEAGE, ORDER, RELEASE, slugOf } from '../../surface/good-requests.ts';

export type Ask = {
  readonly endpoint: EndpointSpec;
  readonly key: string;
  readonly product: number;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The body of the request; by default the endpoint's valid sample. */
  readonly body?: object;
  /** The files of a form. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  readonly idempotencyKey?: string;
};

/** A parsed body, with its files in memory. */
export const bodyOf = (fields: object | undefined, files: Ask['files'] = {}): BodyOnDemand => ({
  isCostly: false,
  read: async () =>
    ok({
      fields,
      files: Object.fromEntries(Object.entries(files).map(([part, bytes]) => [part, aReceived(part, bytes)])),
    }),
});

const aReceived = (name: string, bytes: Uint8Array): ReceivedFile => ({
  name,
  type: 'application/octet-stream',
  size: bytes.length,
  sha256: hash('sha256', bytes, 'hex'),
  open: () => Readable.from([bytes]),
});

/**
 * Sends a request to the invoker, without HTTP, and returns the size of its answer in bytes of JSON. Throws if it is
 * refused.
 */
export const ask = async (
  service: Service,
  { endpoint, key, product, query = {}, body, files, idempotencyKey }: Ask,
): Promise<number> => {
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
        run: String(product),
        file: 'latest.yml',
        target: 'windows',
        arch: 'x86_64',
        installed: '1.0.0',
      },
      query,
      body: bodyOf(body ?? goodBody(endpoint, product), files),
      locale: 'en',
      idempotencyKey,
    },
    { authorization: `Bearer ${key}`, address: () => '127.0.0.1' },
  );
  if (!outcome.ok) throw new Error(`${endpoint.id} answers ${JSON.stringify(outcome)}.`);
  return endpoint.output.kind === 'json' ? Buffer.byteLength(JSON.stringify(outcome.value)) : 0;
};
