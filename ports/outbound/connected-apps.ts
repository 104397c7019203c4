import type { Permit } from '../../domain/access/permit.ts';
import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';

export interface ConnectedApps {
  /** The account's connected apps, newest first. */
  of(accountId: number): Promise<ConnectedApp[]>;
  /** Ends the app's grant and each of its tokens; false where the account has no such app. */
  disconnect(permit: Permit, accountId: number, grantId: string): Promise<boolean>;
}
