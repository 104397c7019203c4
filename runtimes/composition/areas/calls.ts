import type { PartsWith } from '../parts.ts';
import { agents } from './agents.ts';
import { billing } from './billing.ts';
import { catalog } from './catalog.ts';
import { delivery } from './delivery.ts';
import { devices } from './devices.ts';
import { jobs } from './jobs.ts';
import { licensing } from './licensing.ts';
import { mcp } from './mcp.ts';
import { policy } from './policy.ts';
import { signing } from './signing.ts';
import { support } from './support.ts';

/**
 * The areas that a server needs to answer every call of the API and app hosts, and to find no job. It identifies
 * agents, too, because their tokens are refused there by another answer than unknown credentials.
 */
export const CALL_AREAS = [
  agents,
  catalog,
  delivery,
  licensing,
  devices,
  billing,
  policy,
  signing,
  support,
  mcp,
  jobs,
] as const;

/** The parts of a service that answers calls. */
export type CallParts = PartsWith<typeof CALL_AREAS>;
