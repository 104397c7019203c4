import type { FunctionName } from '../../../infra/bundles/functions.ts';
import { ACTIONS, storedKeys } from '../../../infra/permissions/allow-functions.ts';
import { ERASED, MOVED, TABLE_ACCESS, type TableWay } from '../../../infra/permissions/table-access.ts';
import { isLike } from '../../../infra/test/iam/evaluate.ts';
import type { Guard } from './guard.ts';

const WHOLE = 'The partition is read whole only while its snapshot is missing, or other writers keep replacing it.';
const KEYS = 'A scope of keys forgets the oldest of more than twenty that have ended.';
const NAMES = 'An Idempotency-Key is free again where its first request failed.';

const NAMED = 'Events that come before the sale that they name.';
const GRANTS = 'The erasure of an account ends the grants of its applications.';
const BOUNDS = 'The mark of a bound is written once an account got as many messages in a day as it allows.';

const HOOKED = 'An event is written only where a webhook of the shop wants it.';

const MERGED = 'A merge of accounts moves their orders and subscriptions, and an erasure removes subscriptions.';
const RECOUNTED = 'The sums are compared and moved only where an order was counted otherwise.';

const LISTED = 'The shop’s lists of tickets follow a reply and an erasure, and a walk fills them once.';

const REDEEMED =
  'Keys of batches are used and redeemed; test/application/licensing/key-batches.test.ts does so on the same records.';

/** The permissions of the first use of a license key of a batch, and of its redemption. */
const REDEMPTION = Object.fromEntries(
  [
    'read EMAIL#*',
    'read ERASURES',
    'read KEYBATCHES',
    'read KEYID#*',
    'read MEMBERS',
    'put ACCOUNTS#*',
    'put EMAIL#*',
    'put ERASURES',
  ]
    .concat('put KEYBATCH#*', 'remove ACCOUNTS#*', 'check MEMBERS')
    .map((use) => [use, REDEEMED]),
);

const LINKS = 'A sign-in link that was mailed and not used ends with the account.';
const TRANSFERS = 'Accounts accept a license of another account; test/adapters/web/account/transfers.test.ts has one.';
const MEMBER_LINKS = 'A link to the console that was not used ends with the membership.';
const CONSOLE = 'Members sign in to the console with a browser; test/adapters/web/console has one.';
const TRIED = 'A license check on the device of a trial notes it; no suite has one as a tool.';
const FILES = 'A license file takes a slot by a page; test/adapters/web/account/devices.test.ts makes one.';
const PASSKEYS = 'An authenticator is in a browser; test/peers/browser/passkeys.test.ts has one.';

/** The suites erase an account with few records; test/aws/erasure.test.ts erases one with all kinds. */
const ERASURE = Object.fromEntries(
  ERASED.map((family) => [`remove ${family}`, 'The erasure of an account removes what it has.']),
);

/** No suite breaks a merge off; test/aws/merge.test.ts merges accounts with many kinds of records. */
const MERGE = Object.fromEntries(['read', 'put'].flatMap((way) => MOVED.map((family) => [`${way} ${family}`, MERGED])));

/** Permissions for paths that no test of a few minutes takes, with the reasons why they are needed. */
const RARE: Readonly<Partial<Record<FunctionName, Readonly<Record<string, string>>>>> = {
  account: {
    'read CATALOG': WHOLE,
    'put WEBHOOKEVENTS': HOOKED,
    'remove TICKETLIST#*': LISTED,
    'read PASSKEY#*': PASSKEYS,
    'put PASSKEY#*': PASSKEYS,
    'remove PASSKEY#*': PASSKEYS,
    'remove SIGNINLINK#*': LINKS,
    'read OWNER#*': TRANSFERS,
    'put OWNER#*': TRANSFERS,
    'put DEVICEIDS#*': TRANSFERS,
    'read ERASURES': REDEEMED,
    'read KEY#*': REDEEMED,
    'read KEYBATCHES': REDEEMED,
    'put KEYBATCH#*': REDEEMED,
    'put VERSIONS#*': FILES,
  },
  api: {
    ...REDEMPTION,
    'read CATALOG': WHOLE,
    'read SUPPLY': WHOLE,
    'remove KEYID#*': KEYS,
    'remove TICKETLIST#*': LISTED,
    'put WEBHOOKEVENTS': HOOKED,
  },
  app: { 'read CATALOG': WHOLE },
  design: { 'remove REPLAY#*': NAMES },
  downloads: { 'read CATALOG': WHOLE },
  mail: {
    ...ERASURE,
    ...MERGE,
    'read CATALOG': WHOLE,
    'read OAUTHGRANT#*': GRANTS,
    'remove WEBHOOKEVENTS': HOOKED,
    'put DAILY#*': BOUNDS,
    'put SUBSCRIPTIONS': MERGED,
    'remove ORDERS#*': RECOUNTED,
    'remove SUBSCRIPTIONS': MERGED,
    'put TICKETLIST#*': LISTED,
    'remove TICKETLIST#*': LISTED,
    'check TICKETS#*': LISTED,
  },
  mcp: {
    ...REDEMPTION,
    'remove TICKETLIST#*': LISTED,
    'read CATALOG': WHOLE,
    'read SUPPLY': WHOLE,
    'remove KEYID#*': KEYS,
    'remove REPLAY#*': NAMES,
    'put WEBHOOKEVENTS': HOOKED,
    'read TRIAL#*': TRIED,
    'put TRIAL#*': TRIED,
    'count TRIALS#*': TRIED,
  },
  shop: {
    'put DEVICEIDS#*': TRANSFERS,
    'put VERSIONS#*': TRANSFERS,
    ...ERASURE,
    ...MERGE,
    'read BROWSER#*': CONSOLE,
    'put BROWSER#*': CONSOLE,
    'read SESSION#*': CONSOLE,
    'put SESSION#*': CONSOLE,
    'read DAILY#*': CONSOLE,
    'read PASSKEY#*': PASSKEYS,
    'put PASSKEY#*': PASSKEYS,
    'read SIGNINLINK#*': MEMBER_LINKS,
    'remove ORDERS#*': RECOUNTED,
    'put SUBSCRIPTIONS': MERGED,
    'check ORDERS#*': RECOUNTED,
    'check SUMS#*': RECOUNTED,
    'check TICKETS#*': LISTED,
    'read TICKETLIST#*': LISTED,
    'remove TICKETLIST#*': LISTED,
    'remove SUBSCRIPTIONS': MERGED,
    'put DAILY#*': BOUNDS,
    'read CATALOG': WHOLE,
    'read OAUTHGRANT#*': GRANTS,
    'remove OPENEVENTS': NAMED,
    'remove KEYBATCH#*': 'Only keys whose answer was lost are removed; test/contracts/key-batches.ts has some.',
  },
};

/** A function's permissions on the table that none of its calls used, except the rare ones. */
export const unusedRights = (name: FunctionName, { allowed }: Guard): string[] => {
  const calls = [...allowed.values()].map(({ action, context }) => ({
    action,
    keys: context['dynamodb:LeadingKeys'] ?? [],
  }));
  const { scans: _, ...ways } = TABLE_ACCESS[name];
  return Object.entries(ways).flatMap(([way, families]) =>
    families
      .filter((family) => {
        const [stored = ''] = storedKeys(way as TableWay, [family]);
        const actions = ACTIONS[way as TableWay];
        return !calls.some(({ action, keys }) => actions.includes(action) && keys.some((key) => isLike(key, stored)));
      })
      .map((family) => `${way} ${family}`)
      .filter((right) => RARE[name]?.[right] === undefined),
  );
};
