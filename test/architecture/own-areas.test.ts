import { describe, expect, test } from 'vitest';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { endpoint } from '../../ports/inbound/endpoint.ts';
import { type Area, ownArea } from '../../runtimes/composition/area.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { memoryEngines, SETTINGS } from '../support/memory-engines.ts';
import * as documentation from '../surface/own-area/documentation.ts';
import * as endpoints from '../surface/own-area/endpoints.ts';

const { countSeats } = endpoints;
const { countSeats: counted } = documentation.endpoints;

const counting = { countSeats: async () => ok({ held: 0 }) };
const both = { ...counting, holdSeats: async () => ok({ seats: 1 }) };
const documented = async () => documentation;
const countedOnly = async () => ({ endpoints: { countSeats: counted } });

/** The lines with `@ts-expect-error` are the tests: the types fail if one of them compiles. */
describe('an area of a team’s own', () => {
  test('an endpoint without documentation does not compile', () => {
    // @ts-expect-error holdSeats has no documentation
    expect(ownArea({ parts: {}, endpoints, documentation: countedOnly, handlers: () => both })).toBeDefined();
    const area = { parts: {}, endpoints: { countSeats }, handlers: () => counting };
    // @ts-expect-error the area has no documentation at all
    expect(bootstrap(SETTINGS, memoryEngines(), [...EVERY_AREA, area])).toBeDefined();
  });

  test('a tool without texts does not compile', () => {
    const untold = async () => ({ endpoints: documentation.endpoints, groups: documentation.groups });
    // @ts-expect-error the tool of holdSeats has no texts
    expect(ownArea({ parts: {}, endpoints, documentation: untold, handlers: () => both })).toBeDefined();
  });

  test('a group that nobody describes does not compile', () => {
    const ungrouped = async () => ({ endpoints: documentation.endpoints, tools: documentation.tools });
    // @ts-expect-error nobody describes the group Seats
    expect(ownArea({ parts: {}, endpoints, documentation: ungrouped, handlers: () => both })).toBeDefined();
  });

  test('an endpoint without a handler, or with one of another answer, does not compile', () => {
    // @ts-expect-error holdSeats has no handler
    expect(ownArea({ parts: {}, endpoints, documentation: documented, handlers: () => counting })).toBeDefined();
    const wrong = { ...both, holdSeats: async () => ok({ seats: 'many' }) };
    // @ts-expect-error seats is a number
    expect(ownArea({ parts: {}, endpoints, documentation: documented, handlers: () => wrong })).toBeDefined();
  });

  test('a refusal that the endpoint does not declare does not compile', () => {
    const declared = { ...both, holdSeats: async () => refuse('no_seats_left') };
    expect(ownArea({ parts: {}, endpoints, documentation: documented, handlers: () => declared })).toBeDefined();
    const undeclared = { ...both, holdSeats: async () => refuse('no_chairs_left') };
    // @ts-expect-error holdSeats declares no_seats_left alone
    expect(ownArea({ parts: {}, endpoints, documentation: documented, handlers: () => undeclared })).toBeDefined();
  });

  test('a refusal with the code of one of this package does not compile', () => {
    // @ts-expect-error not_found is a code of this package
    const taken = endpoint({ ...countSeats, ownRefusals: { not_found: { status: 404, message: 'Not here.' } } });
    expect(taken).toBeDefined();
  });
});

const serves = (...own: readonly Area[]) => bootstrap(SETTINGS, memoryEngines(), [...EVERY_AREA, ...own] as never);

/** A service with one more endpoint, which is like `countSeats` but for the changes. */
const serving = (changes: object) => {
  const one = { ...countSeats, ...changes };
  const handlers = () => ({ [one.id]: counting.countSeats });
  return serves({ parts: {}, endpoints: { [one.id]: one }, documentation: countedOnly, handlers });
};

test('an area with a part of a name that another area gives is refused when the service is built', () => {
  const areas = [...EVERY_AREA, { parts: { orders: () => null } }] as const;
  expect(() => bootstrap(SETTINGS, memoryEngines(), areas as never)).toThrow(
    'Two areas give the part "orders"; give your own another name, or replace ours by the overrides.',
  );
});

describe('the endpoints of a service with one of a team’s own', () => {
  test('they are this package’s, and then its own', () => {
    const ids = serving({})
      .get('endpoints')
      .map(({ id }) => id);
    expect([ids[0], ids.at(-1)]).toEqual([
      bootstrap(SETTINGS, memoryEngines(), EVERY_AREA).get('endpoints')[0]?.id,
      'countSeats',
    ]);
  });

  test.each([
    [
      'the id of another',
      { id: 'getLibrary' },
      'Two endpoints have the id "getLibrary"; give the one of your own another.',
    ],
    [
      'the tool of another',
      { tool: { name: 'list_library', effect: 'reads' } },
      'Two endpoints have the tool "list_library"; give the one of your own another.',
    ],
    [
      'the path of another by another name',
      { path: '/api/products/{id}/license' },
      'The endpoint countSeats is never asked: another one answers /api/products/{id}/license; give it a path of its own.',
    ],
    [
      'a path among the files of another',
      { path: '/api/products/{product}/content-assets/seats' },
      'The endpoint countSeats is never asked: another one answers /api/products/{product}/content-assets/seats; give it a path of its own.',
    ],
    [
      'a path that another has as one of its paths',
      { method: 'POST', path: '/api/products/4/releases' },
      'The endpoint countSeats is in the way of listReleases: /api/products/4/releases and /api/products/{product}/releases fit the same request.',
    ],
    [
      'a path that takes a path of another in',
      { path: '/api/{area}' },
      'The endpoint countSeats is in the way of getLibrary: /api/{area} and /api/library fit the same request.',
    ],
    [
      'the method and path of another',
      { path: '/api/library' },
      'The endpoint countSeats has the method and path of getLibrary, GET /api/library; give it another path.',
    ],
    [
      'the method and path of another on another host',
      { host: 'app', path: '/api/library' },
      'The endpoint countSeats has the method and path of getLibrary, GET /api/library; give it another path.',
    ],
    [
      'a path on another host that only names its parameters otherwise',
      { host: 'app', path: '/api/products/{id}' },
      'The endpoint countSeats is in the way of getProduct: /api/products/{id} and /api/products/{product} fit the same request.',
    ],
    [
      'a path below the account MCP',
      { path: '/api/mcp/seats' },
      'The endpoint countSeats is in the way of the account MCP: put it outside of /api/mcp.',
    ],
    [
      'a path with a slash at its end',
      { path: '/api/seats/' },
      'The endpoint countSeats is never asked: a path has letters, digits, "-", ".", "_", "~" and {names}.',
    ],
    [
      'a protocol',
      { protocol: 'mcp' },
      "The endpoint countSeats can't have the protocol mcp: a route of this package speaks it.",
    ],
    [
      'a tool of a name that no tool may have',
      { tool: { name: 'count-seats', effect: 'reads' } },
      '"count-seats" can\'t name the tool of countSeats; it has 1 to 40 characters of a-z, 0-9 and _.',
    ],
    [
      'a path among the keys',
      { path: '/.well-known/jwks.json' },
      'The endpoint countSeats is never asked: put it under',
    ],
    ['the path of the health check', { path: '/healthz' }, 'The endpoint countSeats is never asked: put it under'],
    ['the path of the document', { path: '/openapi.json' }, 'The endpoint countSeats is never asked: put it under'],
    [
      'a path among the pages',
      { path: '/docs/seats' },
      'The endpoint countSeats is never asked: put it under /api/ of the host api, app or design.',
    ],
    [
      'a host that has pages alone',
      { host: 'account' },
      'The endpoint countSeats is never asked: put it under /api/ of the host api, app or design.',
    ],
  ])('one with %s is refused before the first request', (_what, changes, message) => {
    expect(() => serving(changes)).toThrow(message);
  });
});

describe('an area that is not this package’s', () => {
  test('it may not name an endpoint by the id of another, whatever id the endpoint has', () => {
    const disguised = { parts: {}, endpoints: { getLibrary: countSeats }, documentation: countedOnly };
    expect(() => serves(disguised)).toThrow(
      'The endpoint "getLibrary" has the id "countSeats"; an endpoint has its id as its name in the area.',
    );
  });

  test('it may not answer an endpoint that is not its own', () => {
    const handlers = () => ({ ...counting, getLibrary: counting.countSeats });
    const service = serves({ parts: {}, endpoints: { countSeats }, documentation: countedOnly, handlers });
    expect(() => service.get('handlers')).toThrow(
      'An area has a handler "getLibrary" without an endpoint of this name; an area answers its own alone.',
    );
    expect(() => serves({ parts: {}, handlers }).get('handlers')).toThrow(
      'Two areas have a handler "getLibrary"; give the one of your own another name.',
    );
  });

  test('it is checked without documentation of its own, too', () => {
    const taken = { ...countSeats, id: 'getLibrary' };
    const handlers = () => ({ getLibrary: counting.countSeats });
    expect(() => serves({ parts: {}, endpoints: { getLibrary: taken }, handlers })).toThrow(
      'Two endpoints have the id "getLibrary"; give the one of your own another.',
    );
  });

  test('it may add a method to a path of another, and paths beside one another of its own', () => {
    const post = { ...countSeats, method: 'POST', path: '/api/library' } as const;
    const [one, two] = [
      { ...countSeats, id: 'one', path: '/api/seats/{seat}' },
      { ...countSeats, id: 'two', path: '/api/seats/free' },
    ] as const;
    const handlers = () => ({ countSeats: counting.countSeats, one: counting.countSeats, two: counting.countSeats });
    const endpoints = { countSeats: post, one, two };
    const paths = serves({ parts: {}, endpoints, documentation: countedOnly, handlers })
      .get('endpoints')
      .map(({ method, path }: { method: string; path: string }) => `${method} ${path}`);
    expect(paths).toEqual(expect.arrayContaining(['GET /api/library', 'POST /api/library', 'GET /api/seats/free']));
  });
});
