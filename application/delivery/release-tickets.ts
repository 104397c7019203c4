import { millis } from '../../domain/shared/instant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { Links } from '../../ports/outbound/links.ts';

type Ports = { licenseSigner: LicenseSigner; links: Links; clock: Clock };

const TYPE = 'release-ticket+jws';

/** Tickets say that they were made at the beginning of the hour, so that a feed stays the same within it. */
const ISSUE_SECONDS = 3600;

/** From then on; so a ticket is good for a day at least. */
const LIFE_SECONDS = 25 * 3600;

/**
 * What stands for a key in the links of a feed, so that an updater that sends no header can follow them: that one account
 * may ask for one release, for about a day. It opens nothing by itself: what the account may use is read again.
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

  /** The account that a ticket for this release was given to; null where it is another's, over or no ticket at all. */
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
