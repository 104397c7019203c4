import type { Refused } from '../../domain/shared/outcome.ts';
import { REFUSALS, type RefusalCode } from '../../ports/inbound/refusals.ts';
import { type FieldErrors, summary } from '../pipeline/validation.ts';

/** The body of a refusal (specification, Errors): `message`, `error` for a code with a name, and data. */
export const refusalBody = ({ code, message, data }: Refused): Record<string, unknown> => {
  const { named, message: usual } = REFUSALS[code as RefusalCode];
  const errors = data?.['errors'] as FieldErrors | undefined;
  return {
    message: message ?? (errors ? summary(errors) : usual),
    ...(named ? { error: code } : {}),
    ...data,
  };
};

export const refusalStatus = (code: string): number => REFUSALS[code as RefusalCode].status;
