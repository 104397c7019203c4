import { chunksOf } from '../../../adapters/store/records.ts';
import { type Contradiction, contradictions } from '../../../domain/operations/billing-contradictions.ts';
import { claimsOf, ownerFault } from '../../../domain/operations/record-owner.ts';
import { countOf } from '../../../domain/shared/count-of.ts';
import type { Service } from '../../composition/service.ts';
import { type Finding, fine, firstOf, next, wrong } from './finding.ts';

/** The most accounts whose records are examined; a larger store is examined in part. */
export const MOST_ACCOUNTS = 10_000;
/** The number of accounts that are read at the same time. */
const AT_ONCE = 20;

/** The findings about the records of all accounts, each as a short phrase. */
type Found = { unowned: number; readonly foreign: string[]; readonly contradictory: string[]; readonly odd: string[] };

const recordsOf = async (service: Service, id: number) => {
  const [held, orders, invoices] = await Promise.all([
    service.get('storedLicenses').held(id),
    service.get('storedOrders').ofAccount(id),
    service.get('invoices').newest(id, { limit: Number.POSITIVE_INFINITY, passes: () => true }),
  ]);
  return { id, ...held, orders, invoices };
};

const examine = async (service: Service, accountId: number, found: Found): Promise<void> => {
  const records = await recordsOf(service, accountId);
  const claims = claimsOf(records, `account ${accountId}`);
  const owners = await service.get('recordOwners').of(claims.map(({ claim }) => claim));
  for (const [n, claim] of claims.entries()) {
    if (!owners[n]) found.unowned++;
    const fault = ownerFault(claim, owners[n]);
    if (fault) found.foreign.push(`account ${accountId} (${fault.message})`);
  }
  const told = ({ kind, id, member, message }: Contradiction) =>
    `${kind} ${id} of account ${accountId} (${member} ${message})`;
  for (const one of contradictions(records, service.get('clock').now())) {
    (one.severity === 'fault' ? found.contradictory : found.odd).push(told(one));
  }
};

const toldOf = ({ unowned, foreign, contradictory, odd }: Found): Finding[] => [
  ...(foreign.length > 0
    ? [wrong('records', `Two accounts have records of one id or number: ${firstOf(foreign)}; import one of them anew.`)]
    : []),
  ...(unowned > 0
    ? [
        wrong(
          'records',
          `${countOf(unowned, 'id or number', 'ids or numbers')} can be taken by another account, because they were stored by an older version; run: doctor --repair`,
        ),
      ]
    : []),
  ...(contradictory.length > 0
    ? [wrong('records', `These records contradict themselves: ${firstOf(contradictory)}; import them anew.`)]
    : []),
  ...(odd.length > 0 ? [fine('records', `Check these records: ${firstOf(odd)}.`)] : []),
];

/** Checks the ids, numbers and dates of the orders, invoices, entitlements and subscriptions that accounts have. */
export const checkAccounts = async (service: Service): Promise<Finding[]> => {
  const ids: number[] = [];
  let isAll = true;
  for await (const { id } of service.get('accounts').list()) {
    isAll = ids.length < MOST_ACCOUNTS;
    if (!isAll) break;
    ids.push(id);
  }
  if (ids.length === 0) return [next('accounts', 'There is no account yet; run: account add --email ADDRESS')];
  const found: Found = { unowned: 0, foreign: [], contradictory: [], odd: [] };
  for (const some of chunksOf(ids, AT_ONCE)) await Promise.all(some.map((id) => examine(service, id, found)));
  const told = toldOf(found);
  const which = `${isAll ? '' : 'the first '}${countOf(ids.length, 'account')}`;
  return told.length > 0 ? told : [fine('records', `The records of ${which} are consistent.`)];
};
