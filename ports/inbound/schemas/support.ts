import * as z from 'zod';
import { ERROR_TYPES } from '../../../domain/support/error-report.ts';
import { REPORT_KINDS } from '../../../domain/support/ticket.ts';
import { boundedObject } from './bounded-object.ts';
import { dateTime, id } from './fields.ts';

/** Bounds of strings count UTF-16 units. */
export const ErrorReportBody = z
  .object({
    app_bundle_id: z.string().min(1).max(255),
    app_version: z.string().min(1).max(50),
    os_version: z.string().max(50).nullish(),
    device_model: z.string().max(100).nullish(),
    error_type: z.enum(ERROR_TYPES),
    error_message: z.string().min(1).max(10_000),
    stack_trace: z.string().max(50_000).nullish(),
    context: boundedObject('context', { characters: 16_384, levels: 8 })
      .nullish()
      .meta({ description: 'whatever helps to understand it; at most 16 KiB of JSON, 8 levels deep' }),
  })
  .meta({ id: 'ErrorReportBody' });

export const ErrorReceiptData = z
  .object({
    report: z.object({
      id,
      group: z.string().meta({ description: 'the same for reports of the same error' }),
      received_at: dateTime,
    }),
  })
  .meta({ id: 'ErrorReceiptData' });

export const SupportReportBody = z
  .object({
    kind: z.enum(REPORT_KINDS),
    summary: z.string().trim().min(1).max(500),
    detail: z.string().trim().min(1).max(20_000),
    app_bundle_id: z.string().max(255).nullish(),
    app_version: z.string().max(50).nullish(),
    macos_version: z.string().max(50).nullish(),
    device_id: z.string().max(255).nullish(),
  })
  .meta({ id: 'SupportReportBody' });

export const SupportTicketData = z
  .object({
    ticket: z.object({
      id,
      kind: z.enum(REPORT_KINDS),
      status: z.enum(['open', 'closed']),
      created_at: dateTime,
      reports: z.int().meta({ description: 'how many times it was reported, this time included' }),
      bundle: z.object({ name: z.string(), size: z.int(), sha256: z.string() }).nullable().meta({
        description: 'the file of this report, as it was kept; null where none came, or no more are kept today',
      }),
    }),
    deduplicated: z
      .boolean()
      .meta({ description: 'true where it joined the ticket of the same report of the last 24 hours' }),
  })
  .meta({ id: 'SupportTicketData' });
