import { type EndpointSpec, pathParams } from '../../ports/inbound/endpoint.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { aBill, anOrder } from '../support/builders.ts';
import { anAccount, putOrder } from './buyers.ts';
import { ASSET, goodBody, LINEAGE, ORDER } from './good-requests.ts';
import { NOTES, SKILL, TOOL } from './shop.ts';

/** The product of a valid call. Only the skill is a single file for every platform. */
const productOf = ({ id }: EndpointSpec): number => (id === 'downloadBundle' ? SKILL : TOOL);

const PATH_ARGUMENTS: Readonly<Record<string, unknown>> = { path: ASSET, order: ORDER, slug: LINEAGE };

/** Valid arguments for an endpoint's tool, for a customer of `aToolsCustomer`. */
export const goodArguments = (endpoint: EndpointSpec): Record<string, unknown> => ({
  ...Object.fromEntries(
    pathParams(endpoint.path).map((name) => [name, name === 'product' ? productOf(endpoint) : PATH_ARGUMENTS[name]]),
  ),
  ...goodBody(endpoint, TOOL),
  ...(endpoint.id === 'planInstall' && { platform: 'linux-amd64' }),
});

/** Creates an account for which every tool succeeds: with entitlements, a subscription and an order. */
export const aToolsCustomer = async (service: Service): Promise<number> => {
  const id = await anAccount(service, {
    entitlements: [{ product_id: TOOL }, { product_id: SKILL }],
    subscriptions: [{ product_ids: [NOTES], grace_days: 7, apps: { tier: 'plus', features: [] }, billing: aBill() }],
  });
  await putOrder(service, anOrder({ id: ORDER, account_id: id }));
  return id;
};
