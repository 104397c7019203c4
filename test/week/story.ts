import { hostname, userInfo } from 'node:os';
import { expect } from 'vitest';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import type { Machine } from './machine.ts';

/** The whole audit log, the oldest entry first. */
export const readLog = async (shop: Machine): Promise<AuditEntry[]> =>
  (await shop.do(['audit', 'list', '--limit', '1000'])).toReversed();

/** The command of this operator on this machine, or the key of a buyer, that made a change. */
const actorOf = ({ by }: AuditEntry, word: (id: string) => string): string => {
  if (by.kind !== 'command') return `${by.kind} ${word(String(by.id))}`;
  expect([by.id, by.from]).toEqual([userInfo().username, hostname()]);
  return by.through;
};

/**
 * The log as lines of `actor: action subject of account`. The entries of one transaction have no order, so those of
 * commands with the same name that follow each other are sorted.
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

/** The story that the log of the week has to tell. */
export const STORY: readonly string[] = [];
