import type { IncomingMessage } from 'node:http';
import { limitRate } from '../../../application/access/limit-rate.ts';
import { proveOwner } from '../../../application/accounts/own-account.ts';
import type { Made } from '../../../application/shared/use-cases.ts';
import { findDraft, keepDraft } from '../../../application/sign-in/drafts.ts';
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  signInWithPasskey,
} from '../../../application/sign-in/passkeys.ts';
import { signInWithPassword } from '../../../application/sign-in/passwords.ts';
import { endSession, findSession, rememberBrowser } from '../../../application/sign-in/sessions.ts';
import { type AskForLink, peekSignInLink, useSignInLink } from '../../../application/sign-in/sign-in-links.ts';
import type { SignInMethods } from '../../../domain/sign-in/session.ts';
import type { Accounts } from '../../../ports/outbound/accounts.ts';
import type { Catalogs } from '../../../ports/outbound/catalog.ts';
import type { Links } from '../../../ports/outbound/links.ts';
import type { DailyBounds } from '../../../ports/outbound/requests.ts';
import type { Clock } from '../../../ports/outbound/system.ts';
import type { SpoolFolder } from '../../host/spool.ts';
import type { Site } from './site.ts';

/** The use cases of the gate and the sign-in pages of each site. */
export const gateUseCases = {
  addPasskey,
  beginPasskey,
  endSession,
  findDraft,
  findSession,
  keepDraft,
  limitRate,
  listPasskeys,
  peekSignInLink,
  proveOwner,
  rememberBrowser,
  removePasskey,
  signInWithPasskey,
  signInWithPassword,
  useSignInLink,
};

/** The use cases and ports of the gate and the sign-in pages, under the names of the service's parts. */
export type GateParts = Made<typeof gateUseCases> & {
  readonly accounts: Pick<Accounts, 'get'>;
  /** Null if the service sends no mail. */
  readonly askForLink: AskForLink | null;
  readonly catalogs: Pick<Catalogs, 'current'>;
  readonly clock: Clock;
  readonly dailyBounds: Pick<DailyBounds, 'count'>;
  readonly links: Pick<Links, 'issuer'>;
  readonly signInMethods: SignInMethods;
};

/** The settings of a site. */
export type PagesSettings = {
  readonly site: Site;
  readonly parts: GateParts;
  readonly options: {
    /** The IP address of a request's sender, behind the trusted proxies. */
    readonly addressOf: (req: IncomingMessage) => string;
    /** The folder for uploaded files. All hosts of a process share it. */
    readonly spool: SpoolFolder;
  };
};
