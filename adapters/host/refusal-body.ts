import type { Refused } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { type RefusalCode, refusalSpec } from '../../ports/inbound/refusals.ts';
import { type FieldErrors, summary } from '../pipeline/validation.ts';

/** An endpoint whose refusals may be its own. */
export type Refusing = Pick<EndpointSpec, 'ownRefusals'>;

/** The body of an endpoint's refusal (specification, Errors): `message`, `error` for a code with a name, and data. */
export const refusalBodyOf = (endpoint: Refusing, { code, message, data }: Refused): Record<string, unknown> => {
  const { named, message: usual } = refusalSpec(code, endpoint);
  const errors = data?.['errors'] as FieldErrors | undefined;
  return {
    message: message ?? (errors ? summary(errors) : usual),
    ...(named ? { error: code } : {}),
    ...data,
  };
};

export const refusalStatusOf = (endpoint: Refusing, code: string): number => refusalSpec(code, endpoint).status;

/** The body and the status of a refusal that no endpoint has to itself. */
export const refusalBody = (refused: Refused<RefusalCode>): Record<string, unknown> => refusalBodyOf({}, refused);
export const refusalStatus = (code: RefusalCode): number => refusalStatusOf({}, code);
