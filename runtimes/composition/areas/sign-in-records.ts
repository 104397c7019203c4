import { StoredKnownBrowsers, StoredSessions } from '../../../adapters/store/sign-ins.ts';
import { resetPassword } from '../../../application/operations/accounts.ts';
import type { KnownBrowsers, Sessions } from '../../../ports/outbound/sign-in.ts';
import { onTable } from '../area.ts';

/** The browsers of an account, for the pages that sign people in, and for the operator's commands, which sign nobody in. */
export const signInRecords = {
  parts: {
    sessions: onTable<Sessions>(StoredSessions),
    knownBrowsers: onTable<KnownBrowsers>(StoredKnownBrowsers),
  },
};

/** The operator's reset of a password. No Lambda function has this area. */
export const passwordReset = { parts: { resetPassword } };
