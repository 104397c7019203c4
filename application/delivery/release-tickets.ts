import { millis } from '../../domain/shared/instant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { Links } from '../../ports/outbound/links.ts';

type Ports = { licenseSigner: LicenseSigner; links: Links; clock: Clock };

const TYPE = 'release-ticket+jws';

/** `iat` is rounded down to the hour, so that a feed stays the same within the hour. */
const ISSUE_SECONDS = 3600;

/** Counted from `iat`, so that a ticket is valid for at least a day. */
const LIFE_SECONDS = 25 * 3600;

/**
 * Tickets replace a key in the links of a feed, because an updater follows links without sending a header. With a
 * ticket, one account can ask for one release for about a day. A ticket grants no access by itself: each download reads
 * the account's access again.
 */
export class ReleaseTickets {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  issue(accountId: number, releaseId: number): string {
    const { licenseSigner, links } = this.#ports;
    const issued = this.#now() - (this.#now() % ISSUE_SECONDS);
    return licenseSigner.sign(TYPE, {
      iss: links.issuer(),
      sub: String(accountId),
      iat: issued,
      exp: issued + LIFE_SECONDS,
      release_id: releaseId,
    });
  }

  /**
   * The account that a ticket for this release was issued to; null where the ticket is for another release, has expired
   * or is invalid.
   */
  accountOf(ticket: string, releaseId: number): number | null {
    const claims = this.#ports.licenseSigner.verify(TYPE, ticket);
    if (claims?.['release_id'] !== releaseId || claims['iss'] !== this.#ports.links.issuer()) return null;
    const { exp, sub } = claims;
    return typeof exp === 'number' && this.#now() < exp ? Number(sub) : null;
  }

  /** Unix seconds. */
  #now(): number {
    return Math.floor(millis(this.#ports.clock.now()) / 1000);
  }
}
