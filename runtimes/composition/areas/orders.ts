import { describeOrder, findOrder, listShopOrders, refundOrder } from '../../../application/operations/orders.ts';
import { describeSubscription, listShopSubscriptions } from '../../../application/operations/subscriptions.ts';

/** The operator's commands about orders and subscriptions. */
export const orders = {
  parts: {
    findOrder,
    describeOrder,
    listShopOrders,
    refundOrder,
    listShopSubscriptions,
    describeSubscription,
  },
};
