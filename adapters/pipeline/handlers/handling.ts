import type { AuthenticateAgent } from '../../../application/access/authenticate.ts';
import type { Made, Makers } from '../../../application/shared/use-cases.ts';
import type { EndpointTable } from '../../../ports/inbound/endpoint.ts';
import type { EndpointId } from '../../../ports/inbound/endpoints.ts';
import type { Links } from '../../../ports/outbound/links.ts';
import type { HandlersOf } from '../handler.ts';

/**
 * The arguments of handlers in addition to their use cases. Endpoints for agents need a service that identifies agents.
 */
type Beside<E extends EndpointTable> = { readonly links: Links } & ([
  Extract<E[keyof E]['access']['credential'], 'agent'>,
] extends [never]
  ? unknown
  : { readonly authenticateAgent: AuthenticateAgent });

/** Handlers that also receive the parts N, which the composition creates. */
export const handlingWith =
  <N>() =>
  <E extends EndpointTable, M extends Makers>(
    endpoints: E,
    useCases: M,
    handlers: (use: Made<M> & Beside<E> & N) => HandlersOf<keyof E & EndpointId>,
  ) => ({ endpoints, parts: useCases, handlers });

/**
 * Endpoints, the use cases that answer them, and a handler for each endpoint. A missing or wrong handler is a type
 * error, and so is a service that lacks a part which one of the use cases needs.
 */
export const handling = handlingWith<unknown>();
