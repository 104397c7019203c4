import { join } from 'node:path';
import type { Licenses } from '../../../ports/outbound/licenses.ts';
import { licensesContract } from '../../contracts/licenses.ts';
import { PROJECT } from '../package/entries.ts';

/** A row of the example's customer table. */
type Customer = { readonly id: number; readonly studio?: { readonly from: string; readonly until: string | null } };

type Example = { readonly TeamLicenses: new (customers: readonly Customer[]) => Licenses };

/** The example imports types alone, so that it runs without the built package. */
const { TeamLicenses }: Example = await import(join(PROJECT, 'examples', 'own-express-app', 'team-licenses.ts'));

licensesContract('TeamLicenses', () => {
  const customers: Customer[] = [];
  const save = (customer: Customer): void => {
    const before = customers.findIndex(({ id }) => id === customer.id);
    customers.splice(before < 0 ? customers.length : before, 1, customer);
  };
  for (const id of [7, 8]) save({ id });
  const from = '2025-01-01T00:00:00.000Z';
  return {
    licenses: new TeamLicenses(customers),
    accounts: [7, 8],
    unknown: 9,
    products: [1],
    grant: (id) => save({ id, studio: { from, until: null } }),
    end: (id) => save({ id, studio: { from, until: '2025-06-01T00:00:00.000Z' } }),
  };
});
