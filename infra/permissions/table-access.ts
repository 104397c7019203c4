import { PING } from '../../adapters/dynamodb/partitions.ts';
import type { Family } from '../../adapters/store/keys/families.ts';
import type { FunctionName } from '../bundles/functions.ts';

/** A family of records, or the partition that a health check reads. */
export type Readable = Family | typeof PING;

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** The families in lines of text. A word that is not a family does not compile. */
const words = <S extends string>(...lines: readonly S[] & (Words<S> extends Readable ? unknown : never)): Words<S>[] =>
  lines.flatMap((line) => line.split(' ') as Words<S>[]);

/** The families of partitions that a function may use in each way. */
export type TableAccess = {
  readonly read?: readonly Readable[];
  readonly put?: readonly Family[];
  readonly remove?: readonly Family[];
  /** Families on whose items a transaction may depend without writing them. */
  readonly check?: readonly Family[];
  /** Families of counters, which are stored separately from items. */
  readonly count?: readonly Family[];
  /** True if the function reads the whole table, as the erasure of an account does. */
  readonly scans?: true;
};

/** A way to use partitions, by family. */
export type TableWay = Exclude<keyof TableAccess, 'scans'>;

/** The endpoints of the API host, which are also the tools of the account MCP. */
const API = {
  read: words(
    'ACCOUNT#* CATALOG DAILY#* EDITION#* ERRORS#* KEY#* PRODUCT#* REPLAY#* STORE SUPPLY TICKETS#* TRIAL#* WEBHOOKS',
  ),
  put: words(
    'ACCOUNT#* AUDIT#* DAILY#* DEVICEIDS#* ERROR#* ERRORS#* KEY#* KEYID#* MESSAGES REPLAY#* TICKET#* TICKETLIST#*',
    'TICKETNUMBER#* TICKETS#* TRIAL#* VERSIONS#* WEBHOOKEVENTS',
  ),
  remove: ['ACCOUNT#*', 'DEVICEIDS#*', 'KEY#*', 'KEYID#*', 'REPLAY#*', 'TICKETLIST#*'],
  check: ['ACCOUNT#*'],
  count: ['DAILY#*', 'ERROR#*', 'NEWERRORS#*', 'RATE#*', 'TICKET#*', 'TRIALS#*'],
} satisfies TableAccess;

/** A person redeems a license key of a batch, which may have an account without a person already. */
const REDEEMS = {
  read: words('EMAIL#* ERASURES KEYBATCHES KEYID#* MEMBERS'),
  put: words('ACCOUNTS#* EMAIL#* ERASURES KEYBATCH#*'),
  remove: words('ACCOUNTS#*'),
} satisfies TableAccess;

/** The last use of a key is recorded in its own item and in one of its account. */
const USE_OF_KEY = ['ACCOUNT#*', 'KEY#*'] as const satisfies readonly Family[];

/** The families outside an account's own partition whose items the erasure of an account removes. */
export const ERASED = words(
  'ACCOUNTS#* ADDRESSES#* BROWSER#* DEVICEIDS#* DEVICESIGNIN#* EMAIL#* ERASURES FAILEDMESSAGES KEY#* KEYID#* MESSAGES',
  'OAUTH#* OAUTHCLIENT#* OAUTHGRANT#* PASSKEY#* PAYMENTEVENTS#* PAYMENTNAME#* REPLAY#* SESSION#* SIGNINLINK#*',
  'TICKET#* TICKETS#* UPSTREAM#* USERCODE#* WEBHOOKLOG#* WEBHOOKQUEUE#*',
);

/** The families outside the accounts' own partitions whose items a merge of accounts changes. */
export const MOVED = words(
  'EMAIL#* FAILEDMESSAGES KEY#* KEYBATCH#* KEYID#* MESSAGES NUMBER#* OWNER#* PAYMENTEVENTS#* PAYMENTNAME#* SALE#* TICKETS#*',
  'WEBHOOKEVENTS WEBHOOKLOG#* WEBHOOKQUEUE#* WEBHOOKS',
);

/**
 * The permissions of each function on the table. `test/aws/permissions.test.ts` runs the functions with these
 * permissions: it fails if one is missing, or one is never used.
 */
export const TABLE_ACCESS: Readonly<Record<FunctionName, TableAccess>> = {
  account: {
    read: words(
      'ACCOUNT#* BROWSER#* CATALOG DAILY#* DEVICESIGNIN#* EDITION#* EMAIL#* ERASURES KEY#* KEYBATCHES KEYID#* MEMBERS OAUTH#*',
      'OAUTHCLIENT#* OAUTHGRANT#* OWNER#* PASSKEY#* PING PRODUCT#* SESSION#* SIGNINLINK#* STORE TICKET#* TICKETS#*',
      'UPSTREAM#* UPSTREAMSIGNIN#* USERCODE#* WEBHOOKS',
    ),
    put: words(
      'ACCOUNT#* ACCOUNTS#* ADDRESSES#* AUDIT#* BROWSER#* DAILY#* DEVICEIDS#* DEVICESIGNIN#* EMAIL#* ERASURES KEY#*',
      'KEYBATCH#* KEYID#* MESSAGES VERSIONS#*',
      'OAUTH#* OAUTHCLIENT#* OAUTHGRANT#* OWNER#* PASSKEY#* SESSION#* SIGNINLINK#* TICKET#* TICKETLIST#* TICKETNUMBER#*',
      'TICKETS#* UPSTREAM#* UPSTREAMSIGNIN#* USERCODE#* WEBHOOKEVENTS',
    ),
    // An owner's erasure of the account removes its sign-ins and keys; the mail function removes the rest.
    remove: words(
      'ACCOUNT#* ACCOUNTS#* ADDRESSES#* BROWSER#* DEVICEIDS#* DEVICESIGNIN#* EMAIL#* KEY#* KEYID#* OAUTH#*',
      'OAUTHCLIENT#* OAUTHGRANT#* PASSKEY#* SESSION#* SIGNINLINK#* TICKETLIST#* UPSTREAMSIGNIN#* USERCODE#*',
    ),
    check: ['ACCOUNT#*', 'MEMBERS', 'OAUTHGRANT#*'],
    count: ['DAILY#*', 'RATE#*', 'REPORTBYTES#*', 'TICKET#*'],
  },
  // It accepts files with reports, whose size per day is limited.
  api: {
    ...API,
    // The first use of a license key of a batch, and the move of its account to a person's.
    read: [...API.read, PING, ...REDEEMS.read],
    put: [...API.put, ...REDEEMS.put],
    remove: [...API.remove, ...REDEEMS.remove],
    check: [...API.check, 'MEMBERS'],
    count: [...API.count, 'REPORTBYTES#*'],
  },
  app: {
    read: ['ACCOUNT#*', 'CATALOG', 'EDITION#*', 'KEY#*', PING, 'PRODUCT#*', 'RELEASE#*', 'STORE'],
    put: USE_OF_KEY,
    count: ['RATE#*'],
  },
  design: {
    read: words(
      'AGENT#* COLLECTLOCK COLLECTRUN#* COLLECTRUNS DOCUMENT#* DOCUMENTS GALLERY GALLERY#*',
      'PENDINGREVIEWS PING REPLAY#* STORE',
    ),
    put: words('AUDIT#* COLLECTLOCK COLLECTRUN#* COLLECTRUNS DOCUMENT#* DOCUMENTS JOBS PENDINGREVIEWS REPLAY#*'),
    remove: ['COLLECTLOCK', 'PENDINGREVIEWS', 'REPLAY#*'],
    check: ['COLLECTRUNS'],
    count: ['RATE#*'],
  },
  downloads: {
    read: ['ACCOUNT#*', 'CATALOG', 'EDITION#*', 'KEY#*', 'PRODUCT#*', 'STORE'],
    put: USE_OF_KEY,
    count: ['RATE#*'],
  },
  // It creates the license keys and the sign-in links that it sends, completes the erasures and merges of accounts, and
  // sends to webhooks.
  mail: {
    read: [
      ...MOVED,
      ...words('ACCOUNT#* CATALOG EDITION#* ERASURES MEMBERS OAUTHGRANT#* ORDERS#* PRODUCT#* STORE SUMS#* TICKET#*'),
    ],
    put: [
      ...MOVED,
      ...words(
        'ACCOUNT#* ACCOUNTS#* ADDRESSES#* AUDIT#* DAILY#* DEVICEIDS#* ERASURES ORDERS#* SIGNINLINK#* SUBSCRIPTIONS',
        'SUMS#* TICKETLIST#*',
      ),
    ],
    remove: ['ACCOUNT#*', 'ORDERS#*', 'SUBSCRIPTIONS', 'TICKETLIST#*', 'WEBHOOKEVENTS', ...ERASED],
    check: ['ACCOUNT#*', 'TICKETS#*'],
    count: ['DAILY#*', 'RATE#*'],
    scans: true,
  },
  mcp: {
    ...API,
    read: [...API.read, 'OAUTH#*', ...REDEEMS.read],
    put: [...API.put, ...REDEEMS.put],
    remove: [...API.remove, ...REDEEMS.remove],
    check: [...API.check, 'MEMBERS'],
  },
  media: { read: ['GALLERY#*', 'STORE'], count: ['RATE#*'] },
  reference: { count: ['RATE#*'] },
  replay: {
    read: ['COLLECTRUN#*', 'COLLECTRUNS', 'GALLERY', 'GALLERY#*', 'JOBS', 'STORE'],
    put: ['COLLECTRUN#*', 'COLLECTRUNS', 'GALLERY', 'GALLERY#*', 'JOBS'],
    remove: ['COLLECTRUN#*', 'GALLERY#*', 'JOBS'],
    check: ['GALLERY#*'],
  },
  // It also runs the doctor.
  shop: {
    read: [
      ...MOVED,
      ...words(
        'ACCOUNT#* ACCOUNTS#* ADDRESSES#* AGENT#* AGENTS AUDIT#* BROWSER#* CATALOG DAILY#* DEVICEIDS#* EDITION#* ERASURES',
        'ERRORS#* KEYBATCHES MEMBERS VERSIONS#*',
        'OAUTHGRANT#* OPENEVENTS ORDERS#* PASSKEY#* PING PRODUCT#* RELEASE#* SESSION#* SIGNINLINK#* STORE SUBSCRIPTIONS',
        'SUMS#* SUPPLY TICKET#* TICKETLIST#* TICKETNUMBER#* TRIAL#*',
      ),
    ],
    put: [
      ...MOVED,
      ...words(
        'ACCOUNT#* ACCOUNTS#* ADDRESSES#* AGENT#* AGENTS AUDIT#* BROWSER#* CATALOG DAILY#* DEVICEIDS#* EDITION#* ERASURES',
        'KEYBATCHES MEMBERS OPENEVENTS VERSIONS#*',
        'ORDERS#* PASSKEY#* PRODUCT#* RELEASE#* SESSION#* SIGNINLINK#* SUBSCRIPTIONS SUMS#* SUPPLY TICKET#*',
        'TICKETLIST#* TRIAL#*',
      ),
    ],
    remove: [
      'ACCOUNT#*',
      'AGENT#*',
      'AGENTS',
      'KEYBATCH#*',
      'OPENEVENTS',
      'ORDERS#*',
      'SUBSCRIPTIONS',
      'TICKETLIST#*',
      'WEBHOOKS',
      ...ERASED,
    ],
    check: ['ACCOUNT#*', 'MEMBERS', 'ORDERS#*', 'SUMS#*', 'TICKETS#*'],
    count: ['DAILY#*', 'ERROR#*', 'RATE#*', 'REPORTBYTES#*', 'TICKET#*', 'TRIALS#*'],
    scans: true,
  },
};
