import * as z from 'zod';
import { endpoint } from '../../../ports/inbound/endpoint.ts';
import { bodyInteger, productId } from '../../../ports/inbound/fields.ts';

export const holdSeats = endpoint({
  id: 'holdSeats',
  host: 'api',
  method: 'PUT',
  path: '/api/products/{product}/seats',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'device.activate', requires: ['entitlement'] },
  body: z.object({ seats: bodyInteger({ minimum: 1, maximum: 5 }) }),
  output: { kind: 'json', status: 200 },
  refusals: [],
  ownRefusals: { no_seats_left: { status: 409, message: 'There are not as many seats left.' } },
  tool: { name: 'hold_seats', effect: 'replaces' },
});

export const countSeats = endpoint({
  id: 'countSeats',
  host: 'api',
  method: 'GET',
  path: '/api/seats',
  access: { credential: 'none' },
  output: { kind: 'json', status: 200 },
  refusals: [],
});
