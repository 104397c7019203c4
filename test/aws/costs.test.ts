import { beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { budgetOf, excess } from '../tools/costs/budgets.ts';
import { CASES, nameOf } from '../tools/costs/cases.ts';
import { dollarsPerMillion } from '../tools/costs/dollars.ts';
import { type Cost, measureCosts } from '../tools/costs/measure.ts';

const MEASURING_MS = 300_000;

/** The rare endpoints that may take more round trips: those that read or count after a write. */
const RARE = [
  'inviteToTeam',
  'removeFromTeam',
  'leaseLicense',
  'releaseLease',
  'returnLease',
  'redeemLicenseKey',
  'releaseLicenseDevice',
  'revokeLicenseDevice',
  'logoutDevice',
  'bulkActivate',
  'reportError',
  'startTrial',
];

/** A search waits for the limiter of a caller without a credential, for the index and for the cards. */
const SEARCH = 'listScreens';

describe('the DynamoDB cost of a request', () => {
  let costs: readonly Cost[];
  const costOf = (name: string): Cost => costs.find((cost) => nameOf(cost) === name) as Cost;

  beforeAll(async () => {
    costs = await measureCosts();
  }, MEASURING_MS);

  test.each(CASES.map((one) => [nameOf(one), one] as const))('the request %s stays within its budget', (name, one) => {
    expect(excess(costOf(name), budgetOf(one))).toEqual([]);
  });

  test('a GET takes at most two round trips, and a search and any other request three', () => {
    const slow = allEndpoints
      // A tool call costs as much as its endpoint, and few systems call the shop host.
      .filter(({ host, protocol }) => protocol === undefined && host !== 'shop')
      .filter(({ id, method }) => costOf(id).rounds > (method === 'GET' && id !== SEARCH ? 2 : 3))
      .map(({ id }) => id);
    expect(slow.filter((id) => !RARE.includes(id))).toEqual([]);
  });

  test('a license check of a known device takes two round trips and one write unit', () => {
    expect(costOf('checkLicense')).toMatchObject({ rounds: 2, writeUnits: 1 });
  });

  test('a million license checks cost at most 2.2 dollars of DynamoDB and Lambda, even if each one checks the catalog', () => {
    const { readUnits, ...cost } = costOf('checkLicense');
    const { dynamodb, lambda } = dollarsPerMillion({ ...cost, readUnits: readUnits + 2 });
    expect(dynamodb + lambda).toBeLessThanOrEqual(2.2);
  });

  test('no request scans the table', () => {
    const operations = new Set(costs.flatMap((cost) => cost.operations.flat()));
    expect(operations).not.toContain('Scan');
    expect(operations).toContain('Query');
  });

  test.each([
    ['a round trip', { rounds: 3, readUnits: 1, writeUnits: 1 }, ['rounds: 3 of 2']],
    ['a read', { rounds: 2, readUnits: 2, writeUnits: 1 }, ['readUnits: 2 of 1']],
    ['a write', { rounds: 2, readUnits: 1, writeUnits: 2 }, ['writeUnits: 2 of 1']],
    ['nothing', { rounds: 2, readUnits: 1, writeUnits: 1 }, []],
  ])('the budget check for %s too many finds the excess', (_, cost, found) => {
    expect(excess(cost, { rounds: 2, readUnits: 1, writeUnits: 1 })).toEqual(found);
  });
});
