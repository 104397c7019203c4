import type { ShopRole } from '../../../domain/access/principal.ts';

/** The terms that the endpoints of the shop host share: an agent of the role, and the two refusals. */
export const shopEndpoints = <R extends ShopRole>(role: R) =>
  ({
    host: 'shop',
    access: { credential: 'agent', role },
    refusals: ['shop_not_found', 'shop_refused'],
  }) as const;

/** The answer of an endpoint that made something. */
export const MADE = { kind: 'json', status: 201 } as const;
