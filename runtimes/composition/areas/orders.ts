import { describeOrder } from '../../../application/operations/describe-order.ts';
import { describeSubscription } from '../../../application/operations/describe-subscription.ts';
import { findOrder } from '../../../application/operations/find-order.ts';
import { listShopOrders } from '../../../application/operations/list-shop-orders.ts';
import { listShopSubscriptions } from '../../../application/operations/list-shop-subscriptions.ts';
import { refundOrder } from '../../../application/operations/refund-order.ts';

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
