import { StoredAccounts } from '../../../adapters/store/accounts.ts';
import { StoredApiKeys } from '../../../adapters/store/api-keys.ts';
import { type AuditedParts, AuditTrail, StoredAuditLog } from '../../../adapters/store/audit-trail.ts';
import {
  StoredBillingRecords,
  StoredInvoices,
  StoredOrders,
  StoredPaymentMethods,
} from '../../../adapters/store/billing.ts';
import type { CacheAge, TellFault } from '../../../adapters/store/cached-copy.ts';
import {
  type Parts as CatalogStore,
  StoredCatalogs,
  StoredPolicies,
  StoredSetupProgresses,
} from '../../../adapters/store/catalogs.ts';
import { StoredDevices } from '../../../adapters/store/devices.ts';
import { StoredErrorReports } from '../../../adapters/store/error-reports.ts';
import { StoredKeyBatches } from '../../../adapters/store/key-batches.ts';
import { SUPPLY } from '../../../adapters/store/keys/shared.ts';
import { StoredLeases } from '../../../adapters/store/leases.ts';
import { StoredLicenses } from '../../../adapters/store/licenses.ts';
import { StoredMembers } from '../../../adapters/store/members.ts';
import { messageWrites, StoredMessages } from '../../../adapters/store/messages.ts';
import { StoredNotices } from '../../../adapters/store/notices.ts';
import { orderCounts } from '../../../adapters/store/order-counts.ts';
import { StoredOrderRecords } from '../../../adapters/store/order-records.ts';
import { StoredShopSales } from '../../../adapters/store/order-sums.ts';
import { StoredRecordOwners } from '../../../adapters/store/owned-records.ts';
import { PartitionCopy } from '../../../adapters/store/partition-copy.ts';
import { StoredDailyBounds, StoredRateLimits } from '../../../adapters/store/rate-limits.ts';
import { type Parts as ReleaseStore, StoredReleases } from '../../../adapters/store/releases.ts';
import { StoredReplays } from '../../../adapters/store/replays.ts';
import { StoredSupplies, type SuppliesParts } from '../../../adapters/store/supplies.ts';
import type { Table } from '../../../adapters/store/table.ts';
import { StoredTeams } from '../../../adapters/store/teams.ts';
import { StoredTickets } from '../../../adapters/store/tickets.ts';
import { StoredTransfers } from '../../../adapters/store/transfers.ts';
import { StoredTrials } from '../../../adapters/store/trials.ts';
import { StoredInstalls, StoredProductUses, StoredUsage } from '../../../adapters/store/usage.ts';
import { knownWebhooks, webhookWrites } from '../../../adapters/store/webhook-writes.ts';
import { StoredWebhookQueue, StoredWebhooks } from '../../../adapters/store/webhooks.ts';
import type { ApiKeys, KeyBatches, Members } from '../../../ports/outbound/access.ts';
import type { Accounts } from '../../../ports/outbound/accounts.ts';
import type { AuditLog } from '../../../ports/outbound/audit-log.ts';
import type {
  BillingRecords,
  Invoices,
  OrderRecordStore,
  Orders,
  PaymentMethods,
  RecordOwners,
  ShopSales,
} from '../../../ports/outbound/billing.ts';
import type { CatalogEditor, Catalogs, Policies, SetupProgresses } from '../../../ports/outbound/catalog.ts';
import type { ReleaseEditor, Releases, Supplies } from '../../../ports/outbound/delivery.ts';
import type { Devices, Installs, ProductUses, Usage } from '../../../ports/outbound/devices.ts';
import type { Leases } from '../../../ports/outbound/leases.ts';
import type { Grants, Licenses, Trials } from '../../../ports/outbound/licensing.ts';
import type { Messages } from '../../../ports/outbound/mail.ts';
import type { DailyBounds, RateLimits, Replays } from '../../../ports/outbound/requests.ts';
import type { ErrorReports, Tickets } from '../../../ports/outbound/support.ts';
import type { Teams } from '../../../ports/outbound/teams.ts';
import type { Transfers } from '../../../ports/outbound/transfers.ts';
import type { WebhookQueue, Webhooks } from '../../../ports/outbound/webhooks.ts';
import { type Make, onAudited, onTable, part } from '../area.ts';

export type OnCatalogs = { readonly storedCatalogs: StoredCatalogs };
export type Later = { readonly storedReleases: Pick<StoredReleases, 'lookAgain'> };
export type OnReleases = { readonly storedReleases: StoredReleases };

/** The repositories on the table. The `stored…` ones belong to the built-in store; no override replaces them. */
export const repositories = (catalogAge: CacheAge) => ({
  parts: {
    auditTrail: part(AuditTrail),
    messageWrites,
    webhookWrites,
    orderCounts: ({ table, storedCatalogs }: { table: Table } & OnCatalogs) => orderCounts(table, storedCatalogs),
    knownWebhooks: ({ table, tellFault }: { table: Table; tellFault: TellFault }) =>
      knownWebhooks(table, catalogAge, tellFault),
    members: onAudited<Members>(StoredMembers),
    notices: part(StoredNotices),
    webhooks: part(StoredWebhooks) as Make<ConstructorParameters<typeof StoredWebhooks>[0], Webhooks>,
    webhookQueue: part(StoredWebhookQueue) as Make<ConstructorParameters<typeof StoredWebhookQueue>[0], WebhookQueue>,
    auditLog: part(StoredAuditLog) as Make<ConstructorParameters<typeof StoredAuditLog>[0], AuditLog>,
    accounts: onAudited<Accounts>(StoredAccounts),
    apiKeys: onAudited<ApiKeys>(StoredApiKeys),
    keyBatches: onAudited<KeyBatches>(StoredKeyBatches),
    storedLicenses: onAudited(StoredLicenses),
    licenses: onAudited<Licenses>(StoredLicenses),
    grants: onAudited<Grants>(StoredLicenses),
    transfers: onAudited<Transfers>(StoredTransfers),
    trials: onAudited<Trials>(StoredTrials),
    storedOrders: onTable(StoredOrders),
    orders: onTable<Orders>(StoredOrders),
    invoices: onTable<Invoices>(StoredInvoices),
    storedPaymentMethods: onTable(StoredPaymentMethods),
    paymentMethods: onTable<PaymentMethods>(StoredPaymentMethods),
    billingRecords: onAudited<BillingRecords>(StoredBillingRecords),
    orderRecords: onAudited<OrderRecordStore>(StoredOrderRecords),
    shopSales: (parts: ConstructorParameters<typeof StoredShopSales>[0]): ShopSales => new StoredShopSales(parts),
    recordOwners: onTable<RecordOwners>(StoredRecordOwners),
    devices: onAudited<Devices>(StoredDevices),
    leases: onAudited<Leases>(StoredLeases),
    usage: onTable<Usage>(StoredUsage),
    installs: onTable<Installs>(StoredInstalls),
    dailyBounds: onTable<DailyBounds>(StoredDailyBounds),
    productUses: onTable<ProductUses>(StoredProductUses),
    // Releases and catalog depend on each other; the catalog requests the releases later.
    storedCatalogs: (parts: CatalogStore & Later): StoredCatalogs =>
      new StoredCatalogs(parts, catalogAge, () => parts.storedReleases.lookAgain()),
    catalogs: ({ storedCatalogs }: OnCatalogs): Catalogs => storedCatalogs,
    catalogEditor: ({ storedCatalogs }: OnCatalogs): CatalogEditor => storedCatalogs,
    policies: (parts: AuditedParts & OnCatalogs): Policies => new StoredPolicies(parts, parts.storedCatalogs.copy),
    supplyCopy: ({ table, tellFault }: { table: Table; tellFault: TellFault }) =>
      new PartitionCopy(table, SUPPLY, { age: catalogAge, tell: tellFault }),
    // A team's own releases have no supplies in the table.
    supplies: ({ releases, storedReleases, supplyCopy }: OnReleases & SuppliesParts): Supplies =>
      releases === storedReleases ? new StoredSupplies({ releases, supplyCopy }) : releases,
    storedReleases: (parts: ReleaseStore) => new StoredReleases(parts, catalogAge),
    releases: ({ storedReleases }: OnReleases): Releases => storedReleases,
    releaseEditor: ({ storedReleases }: OnReleases): ReleaseEditor => storedReleases,
    setupProgresses: onTable<SetupProgresses>(StoredSetupProgresses),
    errorReports: onTable<ErrorReports>(StoredErrorReports),
    messages: part(StoredMessages) as Make<ConstructorParameters<typeof StoredMessages>[0], Messages>,
    teams: onAudited<Teams>(StoredTeams),
    tickets: onAudited<Tickets>(StoredTickets),
    rateLimits: onTable<RateLimits>(StoredRateLimits),
    replays: onTable<Replays>(StoredReplays),
  },
});
