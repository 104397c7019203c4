import * as z from 'zod';
import { REPORT_KINDS } from '../../../../domain/support/ticket.ts';
import { dateTime, id } from './fields.ts';

export const ErrorReceiptData = z
  .object({
    report: z.object({
      id,
      group: z.string().meta({ description: 'the group of the error; reports of the same error share it' }),
      received_at: dateTime,
    }),
  })
  .meta({ id: 'ErrorReceiptData' });

export const SupportTicketData = z
  .object({
    ticket: z.object({
      id,
      kind: z.enum(REPORT_KINDS),
      status: z.enum(['open', 'closed']),
      created_at: dateTime,
      reports: z.int().meta({ description: 'the number of reports of this ticket, including this one' }),
      bundle: z.object({ name: z.string(), size: z.int(), sha256: z.string() }).nullable().meta({
        description: 'the kept file of this report; null if the report had no file or a limit was reached',
      }),
    }),
    deduplicated: z.boolean().meta({ description: 'true if the report joined an existing ticket' }),
  })
  .meta({ id: 'SupportTicketData' });
