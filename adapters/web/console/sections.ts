import type { ShopRole } from '../../../domain/access/principal.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';

/** The sections of the console, in the groups and the order of a shop's day. */
export const GROUPS = [
  ['today'],
  ['sales', 'orders', 'subscriptions'],
  ['customers', 'tickets'],
  ['products', 'releases', 'keys'],
  ['events', 'errors', 'webhooks'],
  ['look', 'notices', 'people', 'audit'],
] as const;

export type SectionId = (typeof GROUPS)[number][number];

export const sectionPath = (id: SectionId): `/${string}` => (id === 'today' ? '/' : `/${id}`);

/** The calls that a page makes, or the role that it is for. */
export type Needs = ShopRole | readonly Pick<EndpointSpec, 'access'>[];
