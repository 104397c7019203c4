import type { ReceivedFile } from '../../application/shared/received-file.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { type FieldErrors, fieldErrors, summary } from './validation.ts';

/** A body of several parts, by name, and the file among them. */
export class Form {
  readonly fields: Readonly<Record<string, string | null>>;
  readonly file: ReceivedFile | null;

  constructor(fields: Form['fields'], file: ReceivedFile | null) {
    this.fields = fields;
    this.file = file;
  }
}

/** The input before validation. A body that can't be read is a refusal. */
export type RawInput = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Reads the body, which is a Form where it came as one; called once at most, and only for a request whose credential was accepted. */
  readonly body: () => Promise<Outcome<unknown, RefusalCode>>;
  /** It comes as a form with room for a file: too much to read before the rate limit has let the request pass. */
  readonly isForm?: boolean;
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

/** A file belongs into its part: it can't come as text, nor where there is none to be. */
const fileErrors = ({ upload }: EndpointSpec, fields: unknown, file: ReceivedFile | null): FieldErrors => {
  if (upload === undefined || file !== null) return {};
  const { part, required } = upload;
  const name = part.replaceAll('_', ' ');
  const sent = Object.entries(fields ?? {}).find(([field]) => field === part)?.[1] ?? null;
  if (sent !== null) return { [part]: [`The ${name} field must be a file; send it as multipart/form-data.`] };
  return required ? { [part]: [`The ${name} field is required; send it as a file in multipart/form-data.`] } : {};
};

export type Input = { readonly query: unknown; readonly body: unknown; readonly file: ReceivedFile | null };

/** The input as the endpoint declares it, or the refusal that names every fault of it. */
export const validated = async (
  endpoint: EndpointSpec,
  raw: RawInput,
  idempotencyKey?: string,
): Promise<Outcome<Input, RefusalCode>> => {
  const read = endpoint.body ? await raw.body() : ok(null);
  if (!read.ok) return read;
  const { fields, file } = read.value instanceof Form ? read.value : { fields: read.value, file: null };
  const query = endpoint.query?.safeParse(raw.query);
  const body = endpoint.body?.safeParse(fields);
  const errors = {
    ...keyErrors(endpoint, idempotencyKey),
    ...(query && !query.success ? fieldErrors(query.error.issues, raw.query) : {}),
    ...(body && !body.success ? fieldErrors(body.error.issues, fields) : {}),
    ...fileErrors(endpoint, fields, file),
  };
  if (Object.keys(errors).length > 0)
    return refuse('validation_failed', { message: summary(errors), data: { errors } });
  return ok({ query: query?.data ?? null, body: body?.data ?? null, file });
};
