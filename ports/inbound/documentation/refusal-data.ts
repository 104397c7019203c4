import * as z from 'zod';
import { RUN_STATES } from '../../../domain/collect/run.ts';
import { VERSION_STATES } from '../../../domain/documents/document.ts';
import type { RefusalCode } from '../refusals.ts';
import { dateTime, id } from './answers/fields.ts';
import { DeviceLimitData } from './answers/licensing.ts';
import type { RefusalDocumentation } from './endpoint-documentation.ts';
import { examples } from './examples/examples.ts';

const message = z.string();

const HeldRunData = z
  .object({ message, run: z.object({ id, agent: z.string(), opened_at: dateTime, lease_expires_at: dateTime }) })
  .meta({ id: 'HeldRunData', description: 'the run that holds the lock on collecting' });

const ClosedRunData = z
  .object({ message, run: z.object({ id, state: z.enum([...RUN_STATES, 'expired']) }) })
  .meta({ id: 'ClosedRunData' });

const DocumentConflictData = z
  .object({
    message,
    state: z.enum(VERSION_STATES).optional().meta({ description: 'the state of the version' }),
    current_version: z.int().optional().meta({ description: 'the version that is current, where the base is not' }),
  })
  .meta({ id: 'DocumentConflictData' });

/** The bodies of the refusals that have data beside `message`, `error` and `errors`. */
export const REFUSAL_DATA: Readonly<Partial<Record<RefusalCode, RefusalDocumentation>>> = {
  device_limit_reached: { schema: DeviceLimitData, example: examples.deviceLimit },
  collect_run_held: {
    schema: HeldRunData,
    example: {
      message:
        'Run 373283905540002 of Nightly collector collects until 2026-11-21T09:00:00.000Z at least; wait until it is submitted, fails or expires.',
      run: {
        id: 373_283_905_540_002,
        agent: 'Nightly collector',
        opened_at: '2026-11-21T08:45:00.000Z',
        lease_expires_at: '2026-11-21T09:00:00.000Z',
      },
    },
  },
  collect_run_closed: {
    schema: ClosedRunData,
    example: {
      message: 'Run 373283905540002 takes nothing more. It was submitted. Open a new run.',
      run: { id: 373_283_905_540_002, state: 'submitted' },
    },
  },
  document_state_conflict: {
    schema: DocumentConflictData,
    example: {
      message: 'Version 3 is approved; a verdict is given once, on a submitted version.',
      state: 'approved',
    },
  },
};
