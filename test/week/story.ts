import { hostname, userInfo } from 'node:os';
import { expect } from 'vitest';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import type { Machine } from './machine.ts';

/** The whole audit log, oldest entry first. */
export const readLog = async (shop: Machine): Promise<AuditEntry[]> =>
  (await shop.do(['audit', 'list', '--limit', '1000'])).toReversed();

/** The operator's command on this machine, or the buyer's key, that made a change. */
const actorOf = ({ by }: AuditEntry, word: (id: string) => string): string => {
  if (by.kind !== 'command') return `${by.kind} ${word(String(by.id))}`;
  expect([by.id, by.from]).toEqual([userInfo().username, hostname()]);
  return by.through ?? by.kind;
};

/**
 * The log as lines of `actor: action subject of account`. The entries of one transaction have no order, so consecutive
 * entries of commands with the same name are sorted.
 */
export const storyOf = (entries: readonly AuditEntry[], named: ReadonlyMap<string, string>): string[] => {
  const word = (id: string | number): string => named.get(String(id)) ?? String(id);
  const runs: { who: string; done: string[] }[] = [];
  for (const entry of entries) {
    const { action, subject_id, account_id } = entry;
    const who = actorOf(entry, word);
    if (runs.at(-1)?.who !== who) runs.push({ who, done: [] });
    const owner = account_id === null || subject_id === String(account_id) ? '' : ` of ${word(account_id)}`;
    runs.at(-1)?.done.push(`${action} ${word(subject_id)}${owner}`);
  }
  return runs.flatMap(({ who, done }) => done.sort().map((one) => `${who}: ${one}`));
};

/** The expected story in the log of the week. */
export const STORY: readonly string[] = [
  'import: category.created 1',
  'import: content.created 1',
  'import: content.created 2',
  'import: disclosure.created 0',
  'import: lineage.created 1',
  'import: product.created 1',
  'import: product.created 2',
  'signing-key create: signing_key.created policy key',
  'publish: release.created memo 1.0',
  'publish: release.created tool 1.0.0',

  'account add: account.created Ann',
  'account add: account.created Bob',
  'account add: account.created Carol',
  'import: entitlement.created 18 of Bob',
  'import: entitlement.created 8 of Ann',
  'import: invoice.created 16 of Bob',
  'import: invoice.created 6 of Ann',
  'import: order.created 15 of Bob',
  'import: order.created 5 of Ann',
  'import: payment_method.created 7 of Ann',
  'import: subscription.created 9 of Ann',
  'grant: entitlement.created gift of Carol',
  'key create: key.created Ann’s key of Ann',
  'key create: key.created Ann’s laptop of Ann',
  'key create: key.created Ann’s phone of Ann',
  'key create: key.created Bob’s desktop of Bob',
  'key create: key.created Carol’s tablet of Carol',

  'order refund: entitlement.revoked 18 of Bob',
  'order refund: invoice.changed 16 of Bob',
  'order refund: order.refunded 15 of Bob',
  'device withdraw: device.released laptop of Ann',
  'device withdraw: device.withdrawn laptop of Ann',
  'device withdraw: policy.created 1',
  'device release: key.revoked Ann’s laptop of Ann',

  'key revoke: key.revoked Ann’s key of Ann',
  'key create: key.created Ann’s new key of Ann',
  'publish: release.created memo 1.1',
  'release withdraw: release.withdrawn memo 1.1',
  'publish: release.created memo 1.2',

  'signing-key create: signing_key.created license key',
  'signing-key activate: signing_key.activated license key',
  'reports answer: ticket.answered the question of Ann',
  'reports answer: ticket.closed the question of Ann',
  'account erase: account.erased Carol',

  'backup: store.backup_begun a backup',
  'restore: store.repair_begun a backup',
  'backup: store.backup_begun a backup',

  'export: store.export_begun the export',
];
