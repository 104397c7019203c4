import type { Ability } from '../access/abilities.ts';
import type { Instant } from '../shared/instant.ts';

/** An application that the account's owner let in by OAuth. */
export type ConnectedApp = {
  /** The id of the grant; it authenticates nobody. */
  readonly grant_id: string;
  readonly account_id: number;
  readonly client_id: string;
  /** The name that the client gave itself. */
  readonly client_name: string;
  /** The host that the client was answered at, such as `claude.ai` or `localhost`. */
  readonly redirect_host: string;
  readonly permissions: readonly Ability[];
  readonly created_at: Instant;
  /** The last time that the client got an access token. */
  readonly last_used_at: Instant;
};
