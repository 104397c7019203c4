import { isLive } from '../../domain/access/api-key.ts';
import { millis } from '../../domain/shared/instant.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'apiKeys' | 'clock' | 'licenseSigner' | 'links'>;

/** The account and the key that read the feed. The hash of a key can't be turned back into the key. */
export type TicketHolder = { readonly account_id: number; readonly key_hash: string };

const TYPE = 'release-ticket+jws';

/** `iat` is rounded down to the hour, so that a feed stays the same within the hour. */
const ISSUE_SECONDS = 3600;

/** Counted from `iat`, so that a ticket is valid for at least a day. */
const LIFE_SECONDS = 25 * 3600;

/**
 * Tickets replace a key in the links of a feed, because an updater follows links without sending a header. With a
 * ticket, one account can ask for one release for about a day. A ticket grants no access by itself: each download reads
 * the account's access and the key again, so that a revoked key opens nothing from the next request on.
 */
export const releaseTickets = ({ licenseSigner, links, apiKeys, clock }: Ports) => {
  /** Unix seconds. */
  const now = (): number => Math.floor(millis(clock.now()) / 1000);

  /** As of `LicenseSigner`: await it before `issue` and `read`. */
  const fresh = (): Promise<void> | undefined => licenseSigner.fresh();

  const issue = ({ account_id, key_hash }: TicketHolder, releaseId: number): string => {
    const issued = now() - (now() % ISSUE_SECONDS);
    return licenseSigner.sign(TYPE, {
      iss: links.issuer(),
      sub: String(account_id),
      iat: issued,
      exp: issued + LIFE_SECONDS,
      release_id: releaseId,
      key: key_hash,
    });
  };

  /**
   * The holder that a ticket for this release was issued to; null where the ticket is for another release, has expired
   * or is invalid. Ask `isHeld` before the ticket opens anything.
   */
  const read = (ticket: string, releaseId: number): TicketHolder | null => {
    const claims = licenseSigner.verify(TYPE, ticket);
    if (claims?.['release_id'] !== releaseId || claims['iss'] !== links.issuer()) return null;
    const { exp, sub, key } = claims;
    if (typeof exp !== 'number' || now() >= exp || typeof key !== 'string') return null;
    return { account_id: Number(sub), key_hash: key };
  };

  /** True while the key is live. Strongly consistent: a revocation holds from the next call on. */
  const isHeld = async ({ account_id, key_hash }: TicketHolder): Promise<boolean> => {
    const key = await apiKeys.find(key_hash);
    return key !== undefined && key.account_id === account_id && isLive(key, clock.now());
  };

  return { fresh, issue, read, isHeld };
};

export type ReleaseTickets = ReturnType<typeof releaseTickets>;
