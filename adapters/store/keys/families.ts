import type * as table from '../typed-table.ts';

/**
 * The partitions of the table, by family: the key of one partition, or a prefix of many before `*`. A key of any other
 * partition does not compile. The permissions of the AWS functions are written in these families (`infra/permissions`).
 */
export const FAMILIES = [
  'ACCOUNT#*',
  'ACCOUNTS#*',
  'ADDRESSES#*',
  'AGENT#*',
  'AGENTS',
  'AUDIT#*',
  'BROWSER#*',
  'CATALOG',
  'COLLECTLOCK',
  'COLLECTRUN#*',
  'COLLECTRUNS',
  'DAILY#*',
  'DEVICEIDS#*',
  'DEVICESIGNIN#*',
  'DOCUMENT#*',
  'DOCUMENTS',
  'EDITION#*',
  'EMAIL#*',
  'ERASURES',
  'ERROR#*',
  'ERRORS#*',
  'FAILEDMESSAGES',
  'FIRST-START',
  'GALLERY',
  'GALLERY#*',
  'JOBS',
  'KEY#*',
  'KEYBATCH#*',
  'KEYBATCHES',
  'KEYID#*',
  'MEMBERS',
  'MESSAGES',
  'NEWERRORS#*',
  'NUMBER#*',
  'OAUTH#*',
  'OAUTHCLIENT#*',
  'OAUTHGRANT#*',
  'OPENEVENTS',
  'ORDERS#*',
  'OWNER#*',
  'PASSKEY#*',
  'PAYMENTEVENTS#*',
  'PAYMENTNAME#*',
  'PENDINGREVIEWS',
  'PRODUCT#*',
  'RATE#*',
  'RELEASE#*',
  'REPLAY#*',
  'REPORTBYTES#*',
  'SALE#*',
  'SESSION#*',
  'SIGNINLINK#*',
  'STORE',
  'SUBSCRIPTIONS',
  'SUMS#*',
  'SUPPLY',
  'TICKET#*',
  'TICKETLIST#*',
  'TICKETNUMBER#*',
  'TICKETS#*',
  'TRIAL#*',
  'TRIALS#*',
  'UPSTREAM#*',
  'UPSTREAMSIGNIN#*',
  'USERCODE#*',
  'VERSIONS#*',
  'WEBHOOKEVENTS',
  'WEBHOOKLOG#*',
  'WEBHOOKQUEUE#*',
  'WEBHOOKS',
] as const;

export type Family = (typeof FAMILIES)[number];

export type PartitionKey<F extends Family = Family> = F extends `${infer Start}*` ? `${Start}${string}` : F;

export type InFamily = { readonly pk: PartitionKey };

/** A key as the files of this folder create it. */
export type KeyOf<T extends object> = table.KeyOf<T> & InFamily;
export type CounterKey = table.CounterKey & InFamily;
export type Partition<T extends object> = table.Partition<T> & InFamily;
