import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { type FieldErrors, fieldErrors, summary } from './validation.ts';

/** The input before validation. A body that can't be read is a refusal. */
export type RawInput = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Reads the body; called once at most, and only for a request whose credential was accepted. */
  readonly body: () => Promise<Outcome<unknown, RefusalCode>>;
};

/** The id that a part of a path is, written as an id is; null where it is none. */
export const idIn = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;

/** What a client may call its request: 1 to 255 visible characters of ASCII. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

const keyErrors = ({ idempotent }: EndpointSpec, key: string | undefined): FieldErrors =>
  !idempotent || key === undefined || IDEMPOTENCY_KEY.test(key)
    ? {}
    : { 'Idempotency-Key': ['The Idempotency-Key header must be 1 to 255 visible ASCII characters.'] };

/** The input as the endpoint declares it, or the refusal that names every fault of it. */
export const validated = async (
  endpoint: EndpointSpec,
  raw: RawInput,
  idempotencyKey?: string,
): Promise<Outcome<{ query: unknown; body: unknown }, RefusalCode>> => {
  const read = endpoint.body ? await raw.body() : ok(null);
  if (!read.ok) return read;
  const query = endpoint.query?.safeParse(raw.query);
  const body = endpoint.body?.safeParse(read.value);
  const errors = {
    ...keyErrors(endpoint, idempotencyKey),
    ...(query && !query.success ? fieldErrors(query.error.issues, raw.query) : {}),
    ...(body && !body.success ? fieldErrors(body.error.issues, read.value) : {}),
  };
  if (Object.keys(errors).length > 0)
    return refuse('validation_failed', { message: summary(errors), data: { errors } });
  return ok({ query: query?.data ?? null, body: body?.data ?? null });
};
