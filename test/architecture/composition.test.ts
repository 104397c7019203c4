import { describe, expect, test } from 'vitest';
import { byHost } from '../../ports/inbound/hosts.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { part } from '../../runtimes/composition/area.ts';
import { AREAS } from '../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { memoryEngines } from '../support/memory-engines.ts';

class Needy {
  readonly needs: { readonly somethingElse: string };

  constructor(needs: { readonly somethingElse: string }) {
    this.needs = needs;
  }
}

class WrongClock {
  readonly needs: { readonly clock: { readonly tick: number } };

  constructor(needs: { readonly clock: { readonly tick: number } }) {
    this.needs = needs;
  }
}

const URL = 'http://127.0.0.1';
const settings = {
  urls: byHost(() => URL),
  perAccount: 1,
  perAgent: 1,
  perAddress: 1,
  catalogAge: 'unbounded',
} as const;

/** The `@ts-expect-error` lines are the tests: the type check fails if one of them compiles. */
describe('the wiring of areas', () => {
  test('an area that needs a part which no area provides does not compile', () => {
    // @ts-expect-error nobody gives `somethingElse`
    const service = bootstrap(settings, memoryEngines(), [{ parts: { needy: part(Needy) } }]);
    expect(service).toBeDefined();
  });

  test('an area that needs a part of another type does not compile', () => {
    // @ts-expect-error `clock` is a Clock, which has no `tick`
    const service = bootstrap(settings, memoryEngines(), [{ parts: { wrong: part(WrongClock) } }]);
    expect(service).toBeDefined();
  });

  test('an area with endpoints for agents does not compile in a service that identifies none', () => {
    // @ts-expect-error nobody gives `authenticateAgent`
    expect(bootstrap(settings, memoryEngines(), [AREAS.documents])).toBeDefined();
    const service = bootstrap(settings, memoryEngines(), [AREAS.agents, AREAS.documents]);
    expect(service.get('identifiers').agent).toBeDefined();
    expect(bootstrap(settings, memoryEngines(), [AREAS.billing]).get('identifiers').agent).toBeUndefined();
  });

  test('areas that name the same use case share it, and two different parts with one name are refused', () => {
    const made = { parts: { tick: () => Symbol('tick') } };
    const again = { parts: { tick: made.parts.tick } };
    const other = { parts: { tick: () => Symbol('other') } };
    expect(bootstrap(settings, memoryEngines(), [made, again]).get('tick').description).toBe('tick');
    expect(() => bootstrap(settings, memoryEngines(), [made, other])).toThrow('Two areas give the part "tick"');
  });

  test('one area that needs no other is built alone, with only its parts', () => {
    const service = bootstrap(settings, memoryEngines(), [AREAS.billing]);
    expect(service.get('listOrders')).toBeTypeOf('function');
    const clock: Clock = service.get('clock');
    expect(clock.now()).toMatch(/Z$/);
    // @ts-expect-error the catalog's area was not built
    expect(service.get('listLibrary')).toBeUndefined();
  });
});
