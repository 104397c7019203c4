import type { Refused } from '../../../domain/shared/outcome.ts';
import { type Answer, show } from './answer.ts';
import type { Messages } from './messages/en.ts';
import type { View } from './views/page.ts';

/** The refusals that forms show, with their statuses. */
const STATUSES = {
  sign_in_expired: 400,
  proof_needed: 403,
  account_suspended: 403,
  account_taken: 403,
  email_not_verified: 403,
  upstream_refused: 403,
  email_taken: 409,
  key_limit_reached: 409,
  wrong_credentials: 422,
  password_too_short: 422,
  password_too_long: 422,
  passkey_refused: 422,
  email_malformed: 422,
  unknown_user_code: 422,
  too_many_attempts: 429,
  upstream_unavailable: 503,
  busy: 503,
} as const;

export type FormRefusal = keyof typeof STATUSES;

/** A refusal for a page. `retry_after` is in seconds, for too many attempts and for a busy service. */
export type Fault<C extends FormRefusal> = { readonly code: C; readonly retry_after: number };

export const faultOf = <C extends FormRefusal>(code: C, { data }: Refused): Fault<C> => ({
  code,
  retry_after: Number(data?.['retry_after'] ?? (code === 'busy' ? 5 : 60)),
});

const TEXTS = {
  account_suspended: ({ signIn }: Messages) => signIn.account_suspended(),
  email_taken: ({ emailUndo }: Messages) => emailUndo.taken,
  key_limit_reached: ({ device }: Messages) => device.key_limit_reached,
  wrong_credentials: ({ signIn }: Messages) => signIn.wrong_credentials,
  passkey_refused: ({ passkeys }: Messages) => passkeys.refused,
  email_malformed: ({ emailChange }: Messages) => emailChange.malformed,
  unknown_user_code: ({ device }: Messages) => device.unknown_user_code,
  too_many_attempts: ({ errors }: Messages, seconds: number) =>
    errors.tooManyAttempts(Math.max(1, Math.ceil(seconds / 60))),
  busy: ({ errors }: Messages) => errors.busy,
} satisfies Partial<Record<FormRefusal, (m: Messages, seconds: number) => string>>;

export const faultText = (m: Messages, { code, retry_after }: Fault<keyof typeof TEXTS>): string =>
  TEXTS[code](m, retry_after);

/** The page that shows a fault, usually the form again. */
export const faultAnswer = ({ code, retry_after }: Fault<FormRefusal>, view: View, here?: string): Answer => ({
  ...show(view, STATUSES[code], here),
  ...(code === 'busy' && { headers: { 'retry-after': String(retry_after) } }),
});
