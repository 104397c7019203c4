import type { AnyHandlers } from '../../../adapters/pipeline/handler.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import type { EndpointId, ProtocolId } from '../../../ports/inbound/endpoints.ts';
import type { Area, GivenBy } from '../area.ts';
import { agents, agentTokens, keys } from './access.ts';
import { accountPages } from './account-pages.ts';
import { erasure, ownAccount } from './accounts.ts';
import { billing } from './billing.ts';
import { catalog } from './catalog.ts';
import { consolePages } from './console-pages.ts';
import { delivery } from './delivery.ts';
import { collect } from './design/collect.ts';
import { documents } from './design/documents.ts';
import { gallery } from './design/gallery.ts';
import { designMcp, shopMcp } from './design/mcp.ts';
import { replay } from './design/replay.ts';
import { devices } from './devices.ts';
import type { environment } from './environment.ts';
import { licensing } from './licensing.ts';
import { mail } from './mail.ts';
import { mcp } from './mcp.ts';
import type { pipeline } from './pipeline.ts';
import { policy, signing } from './policy.ts';
import type { repositories } from './repositories.ts';
import { payments, sales } from './sales.ts';
import { shop } from './shop.ts';
import { signIn } from './sign-in.ts';
import { oauth, passwordReset } from './sign-in-records.ts';
import { storeDocument, storedFiles } from './store-document.ts';
import { sums } from './sums.ts';
import { support } from './support.ts';
import { teams } from './teams.ts';
import { webhooks } from './webhooks.ts';

/** The areas by name, for a service with some of them. An AWS function imports only its own areas. */
export const AREAS = {
  agents,
  agentTokens,
  collect,
  replay,
  catalog,
  delivery,
  licensing,
  devices,
  teams,
  documents,
  billing,
  passwordReset,
  payments,
  policy,
  sales,
  signing,
  sums,
  support,
  mail,
  webhooks,
  mcp,
  designMcp,
  shopMcp,
  keys,
  accountPages,
  consolePages,
  signIn,
  ownAccount,
  oauth,
  storeDocument,
  storedFiles,
  erasure,
  gallery,
};

export type Areas = typeof AREAS;

/** Every area. */
export const EVERY_AREA: readonly (Areas[keyof Areas] | (typeof shop)[number])[] = [...Object.values(AREAS), ...shop];

/** The areas of every service: engines, repositories, and the parts that answer endpoints. */
export type Base = [ReturnType<typeof environment>, ReturnType<typeof repositories>, typeof pipeline];

/** The parts of a service built with these areas. */
export type PartsWith<A extends readonly Area[]> = GivenBy<[...Base, ...A]> & {
  readonly endpoints: readonly EndpointSpec[];
  readonly handlers: AnyHandlers;
};

export type Everything = PartsWith<typeof EVERY_AREA>;

type AnsweredBy<A extends readonly Area[]> = A[number] extends infer One
  ? One extends { readonly handlers: (parts: never) => infer H }
    ? keyof H
    : never
  : never;

type ServedBy<A extends readonly Area[]> = A[number] extends infer One
  ? One extends { readonly endpoints: infer T }
    ? keyof T
    : never
  : never;

type Missing = Exclude<EndpointId, ProtocolId | (AnsweredBy<typeof EVERY_AREA> & ServedBy<typeof EVERY_AREA>)>;

// An endpoint without an area or without a handler does not compile; the error names it.
EVERY_AREA satisfies [Missing] extends [never] ? unknown : { readonly 'no area answers': Missing };
