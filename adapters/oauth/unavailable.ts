import { errors } from 'oidc-provider';

/** A fault of the store, as the answer to a client: 503 `temporarily_unavailable` (RFC 6749, section 4.1.2.1). */
export class Unavailable extends errors.OIDCProviderError {
  override error_description = 'The service cannot answer now. Try again in a moment.';

  constructor(cause: unknown) {
    super(503, 'temporarily_unavailable', { cause });
    // A client at a redirect URI could not tell that trying again helps, and no page of ours is lost.
    this.expose = true;
    this.allow_redirect = false;
  }
}
