import * as z from 'zod';
import { RUN_STATES } from '../../domain/design/collect/run.ts';
import { VERSION_STATES } from '../../domain/design/documents/document.ts';
import { component, dateTime, id, once } from './answers.ts';
import { listed, seat, sessionData } from './api/device-data.ts';
import type { RefusalCode } from './refusals.ts';

const message = z.string();

/** Refusals of the shop host also have the store's own reason. */
const reasoned = (name: string, code: string, more = {}) =>
  once(() => component(name, { message, error: z.literal(code), reason: z.string(), ...more }));

const faults = z.array(z.object({ path: z.string(), message: z.string() })).optional();

/** The schemas of refusals that have data in addition to `message`, `error` and `errors`. */
export const REFUSAL_DATA: Readonly<Partial<Record<RefusalCode, () => z.ZodType>>> = {
  /** A device that found no free slot. */
  device_limit_reached: once(() =>
    component('DeviceLimitData', { message, code: z.literal('device_limit_reached'), devices: listed(), ...seat() }),
  ),
  /** A session that found no free slot. */
  session_limit_reached: once(() =>
    component('SessionLimitData', {
      message,
      code: z.literal('session_limit_reached'),
      session_limit: z.int(),
      sessions: z.array(sessionData()).describe('at most 100 of the sessions that hold a slot'),
      manage_url: z.string(),
    }),
  ),
  /** Another run is open. */
  collect_run_held: once(() =>
    component(
      'HeldRunData',
      { message, run: z.object({ id, agent: z.string(), opened_at: dateTime, lease_expires_at: dateTime }) },
      'the run that holds the lock on collecting',
    ),
  ),
  /** A run that accepts no further uploads. */
  collect_run_closed: once(() =>
    component('ClosedRunData', { message, run: z.object({ id, state: z.enum([...RUN_STATES, 'expired']) }) }),
  ),
  /** A change that the state of a version does not allow. */
  document_state_conflict: once(() =>
    component('DocumentConflictData', {
      message,
      state: z.enum(VERSION_STATES).optional().describe('the state of the version'),
      current_version: z.int().optional().describe('the version that is current, where the base is not'),
    }),
  ),
  shop_not_found: reasoned('ShopNotFoundData', 'shop_not_found'),
  shop_refused: reasoned('ShopRefusedData', 'shop_refused', {
    faults: faults.describe('what is wrong with the fields'),
  }),
};
