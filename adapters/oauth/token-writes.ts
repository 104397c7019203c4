import { AsyncLocalStorage } from 'node:async_hooks';
import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { isUseDue, TOKENS_A_DAY, usedAgain } from '../../domain/sign-in/oauth-grant.ts';
import type { NamedOAuthRecord, OAuthName, OAuthRecords, ReadGrant } from '../../ports/outbound/oauth-records.ts';
import type { DailyBounds } from '../../ports/outbound/requests.ts';
import type { Clock, Pauses } from '../../ports/outbound/system.ts';

export type TokenPorts = {
  readonly oauthRecords: OAuthRecords;
  readonly dailyBounds: DailyBounds;
  readonly clock: Clock;
  readonly pauses: Pauses;
};

/**
 * The writes of one token response. They are committed together at the end, so that a fault on the way consumes neither
 * the code nor the refresh token, and the client can retry the request.
 */
export class TokenWrites {
  readonly tokens: NamedOAuthRecord[] = [];
  #consumed: OAuthName | undefined;

  get consumed(): OAuthName | undefined {
    return this.#consumed;
  }

  add(token: NamedOAuthRecord): void {
    this.tokens.push(token);
  }

  consume(name: OAuthName): void {
    this.#consumed = name;
  }
}

/** The writes of the current request; absent outside the token endpoint. */
export const currentWrites = new AsyncLocalStorage<TokenWrites>();

/** The outcome of issuing tokens: the grant that they belong to. */
export type IssueOutcome = Outcome<ReadGrant, 'grant_ended' | 'already_used' | 'too_many_tokens'>;

const grantIdOf = ({ tokens }: TokenWrites): string => {
  const id = tokens[0]?.record.grant_id;
  if (id === undefined || id === null) throw new Error('A token belongs to a grant.');
  return id;
};

/**
 * Commits the writes in one transaction that depends on the grant. A refresh token that another request used within the
 * grace period is valid for this one too, up to a limit. Throws Contention if others keep changing the same records.
 */
export const issueTokens = async (ports: TokenPorts, writes: TokenWrites): Promise<IssueOutcome> => {
  const { oauthRecords, dailyBounds, clock, pauses } = ports;
  const { consumed, tokens } = writes;
  const grantId = grantIdOf(writes);
  // Counted before the writes, so that a fault of the counter consumes nothing. The code or the refresh token is the
  // guard.
  const sum = consumed ? await dailyBounds.count(grantPermit(), TOKENS_A_DAY, grantId, 1, clock.now()) : 0;
  if (sum > TOKENS_A_DAY.most) return refuse('too_many_tokens');
  return untilWritten<IssueOutcome>(pauses, async () => {
    const now = clock.now();
    const [grant, read] = await Promise.all([oauthRecords.grant(grantId), consumed && oauthRecords.find(consumed)]);
    if (!grant || (consumed && !read)) return refuse('grant_ended');
    const used = consumed && read && usedAgain(read.record, consumed.kind === 'refresh_token', now);
    if (consumed && !used) return refuse('already_used');
    const written = await oauthRecords.issue(grant, {
      tokens,
      consume: consumed && read && used ? { ...consumed, read, used } : undefined,
      used_at: isUseDue(grant.app, now) ? now : undefined,
    });
    return written ? ok(grant) : CONFLICT;
  });
};
