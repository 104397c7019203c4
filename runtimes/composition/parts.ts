import type { AnyHandlers } from '../../adapters/pipeline/handler.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { Area, GivenBy } from './area.ts';
import type { access } from './areas/access.ts';
import type { outside } from './areas/outside.ts';
import type { storage } from './areas/storage.ts';

/** The areas of every service: engines, repositories, and the parts that answer endpoints. */
export type Base = [ReturnType<typeof outside>, ReturnType<typeof storage>, typeof access];

/** The parts of a service that was built with these areas. */
export type PartsWith<A extends readonly Area[]> = GivenBy<[...Base, ...A]> & {
  readonly endpoints: readonly EndpointSpec[];
  readonly handlers: AnyHandlers;
};
