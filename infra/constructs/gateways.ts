import type { Served } from '../routes.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { HostApi } from './host-api.ts';

/** The hosts that the stage has. */
export type Hosts = {
  readonly apis: Readonly<Partial<Record<Served, HostApi>>>;
  readonly named: Readonly<Partial<Record<Served, HostApi>>>;
};

/** The metrics of the gateways of each host that the stage has. */
export const gatewaysByHost = ({ apis, named }: Hosts): Readonly<Partial<Record<Served, readonly GatewayMetrics[]>>> =>
  Object.fromEntries(Object.entries({ ...apis, ...named }).map(([host, { gateways }]) => [host, gateways]));

/** The metrics of all gateways. */
export const gatewaysOf = (hosts: Hosts): readonly GatewayMetrics[] => Object.values(gatewaysByHost(hosts)).flat();
