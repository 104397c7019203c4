import { addAccount, findAccount, listAccounts } from '../../application/accounts/accounts.ts';
import { listAudit } from '../../application/audit/list-audit.ts';
import {
  describeOrder,
  describeSubscription,
  findOrder,
  listShopOrders,
  listShopSubscriptions,
  refundOrder,
} from '../../application/billing/shop-orders.ts';
import {
  completeSums,
  examineSums,
  listDueSubscriptions,
  listTransactions,
  showSums,
} from '../../application/billing/shop-sales.ts';
import {
  describeProduct,
  findProduct,
  listProductReleases,
  listShopProducts,
  showUsage,
} from '../../application/catalog/shop-products.ts';
import { changeRelease } from '../../application/delivery/releases.ts';

import type { ConnectedProviders } from '../../ports/outbound/sales.ts';

/** The shop's orders, products and accounts, and its audit log, for tests that need no other area. */
export const shopRecords = {
  parts: {
    connectedProviders: (): ConnectedProviders => ['shop'],
    changeRelease,
    listAudit,
    addAccount,
    findAccount,
    listAccounts,
    findOrder,
    describeOrder,
    listShopOrders,
    refundOrder,
    listShopSubscriptions,
    describeSubscription,
    showSums,
    listTransactions,
    listDueSubscriptions,
    completeSums,
    examineSums,
    findProduct,
    listProductReleases,
    listShopProducts,
    describeProduct,
    showUsage,
  },
};
