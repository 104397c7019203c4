import { StoredAccounts } from '../../adapters/store/accounts.ts';
import { StoredApiKeys } from '../../adapters/store/api-keys.ts';
import {
  StoredBillingRecords,
  StoredInvoices,
  StoredOrders,
  StoredPaymentMethods,
} from '../../adapters/store/billing.ts';
import type { CacheAge } from '../../adapters/store/cache-age.ts';
import { StoredCatalogs } from '../../adapters/store/catalogs.ts';
import { StoredDevices } from '../../adapters/store/devices.ts';
import { StoredErrorReports } from '../../adapters/store/error-reports.ts';
import { StoredLicenses } from '../../adapters/store/licenses.ts';
import { StoredPolicies } from '../../adapters/store/policies.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import { StoredReleases } from '../../adapters/store/releases.ts';
import { StoredReplays } from '../../adapters/store/replays.ts';
import { StoredSetupProgresses } from '../../adapters/store/setup-progresses.ts';
import { StoredTickets } from '../../adapters/store/tickets.ts';
import { StoredInstalls, StoredUsage } from '../../adapters/store/usage.ts';
import { areaModule, type Overrides } from './binder.ts';

/** The repositories over the table. */
export const storage = (overrides: Overrides, catalogAge: CacheAge) =>
  areaModule(overrides, (binder) =>
    binder
      .made('accounts', ['table'], (table) => new StoredAccounts(table))
      .made('apiKeys', ['table'], (table) => new StoredApiKeys(table))
      .made('storedLicenses', ['table'], (table) => new StoredLicenses(table))
      .made('licenses', ['storedLicenses'], (stored) => stored)
      .made('grants', ['storedLicenses'], (stored) => stored)
      .made('storedOrders', ['table'], (table) => new StoredOrders(table))
      .made('orders', ['storedOrders'], (stored) => stored)
      .made('invoices', ['table'], (table) => new StoredInvoices(table))
      .made('storedPaymentMethods', ['table'], (table) => new StoredPaymentMethods(table))
      .made('paymentMethods', ['storedPaymentMethods'], (stored) => stored)
      .made('billingRecords', ['table'], (table) => new StoredBillingRecords(table))
      .made('devices', ['table'], (table) => new StoredDevices(table))
      .made('usage', ['table'], (table) => new StoredUsage(table))
      .made('installs', ['table'], (table) => new StoredInstalls(table))
      .made('storedCatalogs', ['table'], (table) => new StoredCatalogs(table, catalogAge))
      .made('catalogs', ['storedCatalogs'], (stored) => stored)
      .made('catalogEditor', ['storedCatalogs'], (stored) => stored)
      .made(
        'policies',
        ['table', 'storedCatalogs'],
        (table, catalogs) => new StoredPolicies(table, () => catalogs.forget()),
      )
      .made('storedReleases', ['table'], (table) => new StoredReleases(table, catalogAge))
      .made('releases', ['storedReleases'], (stored) => stored)
      .made('releaseEditor', ['storedReleases'], (stored) => stored)
      .made('setupProgresses', ['table'], (table) => new StoredSetupProgresses(table))
      .made('errorReports', ['table'], (table) => new StoredErrorReports(table))
      .made('tickets', ['table'], (table) => new StoredTickets(table))
      .made('rateLimits', ['table'], (table) => new StoredRateLimits(table))
      .made('replays', ['table'], (table) => new StoredReplays(table)),
  );
