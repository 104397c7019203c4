import { errors } from 'oidc-provider';

/** A fault of the store, as the answer to a client: 503 `temporarily_unavailable` (RFC 6749, section 4.1.2.1). */
export class Unavailable extends errors.OIDCProviderError {
  override error_description = 'The service is temporarily unavailable. Try again in a moment.';

  constructor(cause: unknown) {
    super(503, 'temporarily_unavailable', { cause });
    // A redirect would tell the client to give up; a person who sees the page can try again.
    this.expose = true;
    this.allow_redirect = false;
  }
}

/** Passes every fault of a call on as a 503, after telling the log. */
export const guarded =
  <A extends readonly unknown[], T>(fault: (error: unknown) => void, call: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    try {
      return await call(...args);
    } catch (error) {
      if (error instanceof errors.OIDCProviderError) throw error;
      fault(error);
      throw new Unavailable(error);
    }
  };
