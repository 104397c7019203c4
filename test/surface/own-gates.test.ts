import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Host } from '../../adapters/host/host.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { endpoint } from '../../ports/inbound/endpoint.ts';
import { productId } from '../../ports/inbound/fields.ts';
import { ownArea } from '../../runtimes/composition/area.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { openHost, routesBeside } from '../../runtimes/composition/hosts.ts';
import { aClock } from '../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../support/memory-engines.ts';
import { aKey, anAccount } from './buyers.ts';
import { openShop, SECRET, TOOL } from './shop.ts';

const params = z.object({ product: productId });
const named = { host: 'api', method: 'GET', params, output: { kind: 'json', status: 200 }, refusals: [] } as const;

const nameOpenly = endpoint({
  ...named,
  id: 'nameOpenly',
  path: '/api/products/{product}/open-name',
  access: { credential: 'none' },
});
const nameForKeys = endpoint({
  ...named,
  id: 'nameForKeys',
  path: '/api/products/{product}/name-for-keys',
  access: { credential: 'key?' },
});
const nameHidden = endpoint({
  ...named,
  id: 'nameHidden',
  path: '/api/products/{product}/even-hidden-name',
  access: { credential: 'none', evenHidden: true },
});
const bookSeats = endpoint({
  id: 'bookSeats',
  host: 'api',
  method: 'POST',
  path: '/api/bookings',
  access: { credential: 'key' },
  body: z.object({ note: z.string().max(500) }),
  bodyLimit: 100,
  idempotent: true,
  output: { kind: 'json', status: 201 },
  refusals: [],
  ownRefusals: { fully_booked: { status: 409, message: 'Every seat is booked.' } },
});
const ring = endpoint({
  id: 'ring',
  host: 'api',
  method: 'POST',
  path: '/api/bell',
  access: { credential: 'none' },
  perMinute: 2,
  output: { kind: 'empty', status: 204 },
  refusals: [],
});

const texts = { group: 'Public', summary: 'An endpoint', description: 'An endpoint of a team’s own.' } as const;
const Name = z.object({ name: z.string() }).meta({ id: 'OwnNameData' });
const Booking = z.object({ booking: z.int() }).meta({ id: 'OwnBookingData' });
const name = { ...texts, pathExamples: { product: 4 }, answer: { schema: Name, example: { name: 'Tool' } } } as const;
const booking = { ...texts, bodyExample: { note: 'At 9' }, answer: { schema: Booking, example: { booking: 1 } } };
const documentation = async () => ({
  endpoints: { nameOpenly: name, nameForKeys: name, nameHidden: name, bookSeats: booking, ring: texts },
});

/** The bookings of the team, of which there is no further one where it is full. */
class Bookings {
  full = false;
  readonly notes: string[] = [];
}

const area = ownArea({
  parts: { bookings: () => new Bookings() },
  endpoints: { nameOpenly, nameForKeys, nameHidden, bookSeats, ring },
  documentation,
  handlers: ({ bookings }: { readonly bookings: Bookings }) => ({
    nameOpenly: async ({ product }) => ok({ name: product.slug }),
    nameForKeys: async ({ product }) => ok({ name: product.slug }),
    nameHidden: async ({ product }) => ok({ name: product.slug }),
    bookSeats: async ({ body, permit }) => {
      await permit;
      if (bookings.full) return refuse('fully_booked');
      return ok({ booking: bookings.notes.push(body.note) });
    },
    ring: async ({ permit }) => {
      await permit;
      return ok(null);
    },
  }),
});

const wire = () =>
  bootstrap({ ...SETTINGS, catalogAge: 1 }, memoryEngines(), [...EVERY_AREA, area], { clock: aClock() });

describe('the gates of endpoints of a team’s own', () => {
  let service: ReturnType<typeof wire>;
  let host: Host;

  beforeEach(async () => {
    service = wire();
    await openShop(service);
    const fault = (error: unknown) => {
      throw error;
    };
    host = openHost('api', {
      service,
      urls: SETTINGS.urls,
      options: { log: () => {}, fault, health: async () => {} },
      spool: new SpoolFolder(tmpdir()),
      beside: routesBeside('api', service, {}),
    });
  });

  const ask = async (method: string, path: string, headers: Record<string, string> = {}, json?: object) => {
    const bytes = json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json));
    const reply = await host.handle({
      method,
      path,
      query: '',
      headers: { host: 'api.example.com', ...(json && { 'content-type': 'application/json' }), ...headers },
      address: () => '203.0.113.7',
      length: bytes.length,
      body: () => bytes,
    });
    const text = String(reply.body ?? '');
    return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const keyOf = async (entitlements: readonly { product_id: number }[]) => {
    const { value } = await aKey(service, await anAccount(service, { entitlements: [...entitlements] }));
    return { authorization: `Bearer ${value}` };
  };

  test('a hidden product does not exist for callers without an account', async () => {
    expect((await ask('GET', `/api/products/${TOOL}/open-name`)).status).toBe(200);
    const unknown = await ask('GET', '/api/products/999/open-name');
    for (const path of ['open-name', 'name-for-keys']) {
      const hidden = await ask('GET', `/api/products/${SECRET}/${path}`);
      expect([hidden.status, hidden.body]).toEqual([404, unknown.body]);
    }
  });

  test('an account that may use a hidden product sees it where a key may be left out, and no other account does', async () => {
    const path = `/api/products/${SECRET}/name-for-keys`;
    expect((await ask('GET', path, await keyOf([{ product_id: SECRET }]))).status).toBe(200);
    expect((await ask('GET', path, await keyOf([]))).status).toBe(404);
    expect((await ask('GET', path)).status).toBe(404);
  });

  test('an endpoint that is told even of hidden products decides about them itself', async () => {
    expect((await ask('GET', `/api/products/${SECRET}/even-hidden-name`)).status).toBe(200);
    expect((await ask('GET', '/api/products/999/even-hidden-name')).status).toBe(404);
  });

  test('a refusal of its own leaves the Idempotency-Key free, and an answer is given once', async () => {
    const bookings = service.get('bookings');
    const headers = { ...(await keyOf([])), 'idempotency-key': 'monday' };
    const book = (note: string) => ask('POST', '/api/bookings', headers, { note });
    bookings.full = true;
    for (const _again of [1, 2]) {
      expect(await book('At 9')).toMatchObject({ status: 409, body: { error: 'fully_booked' } });
    }
    bookings.full = false;
    expect(await book('At 9')).toMatchObject({ status: 201, body: { booking: 1 } });
    bookings.full = true;
    expect(await book('At 9')).toMatchObject({ status: 201, body: { booking: 1 } });
    expect(await book('At 10')).toMatchObject({
      status: 409,
      body: { message: 'This Idempotency-Key was sent with another request; use a new one.' },
    });
    expect(bookings.notes).toEqual(['At 9']);
  });

  test('a body over the limit of its endpoint is refused', async () => {
    const headers = await keyOf([]);
    expect((await ask('POST', '/api/bookings', headers, { note: 'x'.repeat(200) })).status).toBe(413);
    expect((await ask('POST', '/api/bookings', headers, { note: 'x' })).status).toBe(201);
  });

  test('an address may call so often in a minute as the endpoint says', async () => {
    const statuses = [];
    for (const _call of [1, 2, 3]) statuses.push((await ask('POST', '/api/bell')).status);
    expect(statuses).toEqual([204, 204, 429]);
    expect((await ask('GET', `/api/products/${TOOL}/open-name`)).status).toBe(200);
  });
});
