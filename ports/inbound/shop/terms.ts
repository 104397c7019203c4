import type { ShopRole } from '../../../domain/access/principal.ts';
import { endpointsOf } from '../endpoint.ts';

/** Declares endpoints of the shop host, which share a role and two refusals. */
export const shopEndpoints = <R extends ShopRole>(role: R) =>
  endpointsOf({
    host: 'shop',
    access: { credential: 'agent', role },
    refusals: ['shop_not_found', 'shop_refused'],
  });

/** The answer of an endpoint that creates a record. */
export const MADE = { kind: 'json', status: 201 } as const;
