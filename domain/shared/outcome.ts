/** The result of a decision or use case: a value, or a refusal for the caller to handle. Only faults throw. */
export type Outcome<T, R extends string = never> = Ok<T> | ([R] extends [never] ? never : Refused<R>);

export type Ok<T> = { readonly ok: true; readonly value: T };

export type Refused<R extends string = string> = {
  readonly ok: false;
  readonly code: R;
  /** A message for people; absent for the code's default. */
  readonly message?: string | undefined;
  /** The same message in Korean, if it is for buyers; messages for developers are only in English. */
  readonly ko?: string | undefined;
  /** Further fields of the response body, such as a device list or field errors. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Seconds until the same request can succeed, if not at the end of the minute. */
  readonly retryAfter?: number | undefined;
};

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

export const refuse = <const R extends string>(
  code: R,
  detail: { message?: string; ko?: string; data?: Readonly<Record<string, unknown>>; retryAfter?: number } = {},
): Refused<R> => ({ ok: false, code, ...detail });
