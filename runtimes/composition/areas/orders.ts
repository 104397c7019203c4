import { DescribeOrder } from '../../../application/operations/describe-order.ts';
import { DescribeSubscription } from '../../../application/operations/describe-subscription.ts';
import { FindOrder } from '../../../application/operations/find-order.ts';
import { ListShopOrders } from '../../../application/operations/list-shop-orders.ts';
import { ListShopSubscriptions } from '../../../application/operations/list-shop-subscriptions.ts';
import { RefundOrder } from '../../../application/operations/refund-order.ts';
import { part } from '../area.ts';

/** The operator's commands about orders and subscriptions. */
export const orders = {
  parts: {
    findOrder: part(FindOrder),
    describeOrder: part(DescribeOrder),
    listShopOrders: part(ListShopOrders),
    refundOrder: part(RefundOrder),
    listShopSubscriptions: part(ListShopSubscriptions),
    describeSubscription: part(DescribeSubscription),
  },
};
