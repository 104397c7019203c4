import * as z from 'zod';
import { ERROR_TYPES } from '../../../domain/support/error-report.ts';
import { REPORT_KINDS } from '../../../domain/support/ticket.ts';
import { component, dateTime, id } from '../answers.ts';
import { boundedObject } from '../bounded-object.ts';
import { endpointsOf } from '../endpoint.ts';
import { deviceIdOrNull, notBlank, orNull, visibleText } from '../fields.ts';

const api = endpointsOf({ host: 'api' });

const MIB = 1024 * 1024;

/**
 * The lengths of texts are counted in UTF-16 code units. Control characters are accepted, so no crash goes unreported;
 * scrubbing makes them visible.
 */
const ErrorReportBody = () =>
  component('ErrorReportBody', {
    app_bundle_id: visibleText(255),
    app_version: visibleText(50),
    os_version: orNull(z.string().max(50)),
    device_model: orNull(z.string().max(100)),
    error_type: z.enum(ERROR_TYPES),
    error_message: visibleText(10_000),
    stack_trace: orNull(z.string().max(50_000)),
    context: orNull(boundedObject('context', { characters: 16_384, levels: 8 })).meta({
      description: 'details that help to understand the error; at most 16 KiB of JSON, 8 levels deep',
    }),
  });

const SupportReportBody = () =>
  component('SupportReportBody', {
    kind: z.enum(REPORT_KINDS),
    summary: notBlank(z.string().trim().min(1).max(500)),
    detail: notBlank(z.string().trim().min(1).max(20_000)),
    app_bundle_id: orNull(z.string().max(255)),
    app_version: orNull(z.string().max(50)),
    macos_version: orNull(z.string().max(50)),
    device_id: deviceIdOrNull,
  });

export const reportError = api({
  id: 'reportError',
  method: 'POST',
  path: '/api/error-reports',
  access: { credential: 'none' },
  body: ErrorReportBody,
  bodyLimit: MIB / 2,
  perMinute: 5,
  idempotent: true,
  answer: () =>
    component('ErrorReceiptData', {
      report: z.object({
        id,
        group: z.string().describe('the group of the error; reports of the same error share it'),
        received_at: dateTime,
      }),
    }),
  output: { kind: 'json', status: 201 },
  tool: { name: 'report_error', effect: 'adds' },
});

export const reportProblem = api({
  id: 'reportProblem',
  method: 'POST',
  path: '/api/support/reports',
  access: { credential: 'key', ability: 'support.report' },
  body: SupportReportBody,
  bodyLimit: MIB / 4,
  files: { bundle: { maxBytes: 20 * MIB, required: false } },
  idempotent: true,
  answer: () =>
    component('SupportTicketData', {
      ticket: z.object({
        id,
        kind: z.enum(REPORT_KINDS),
        status: z.enum(['open', 'closed']),
        created_at: dateTime,
        reports: z.int().describe('the number of reports of this ticket, including this one'),
        bundle: z
          .object({ name: z.string(), size: z.int(), sha256: z.string() })
          .nullable()
          .describe('the kept file of this report; null if the report had no file or a limit was reached'),
      }),
      deduplicated: z.boolean().describe('true if the report joined an existing ticket'),
    }),
  output: { kind: 'json', status: 201, joinedBy: 'deduplicated' },
  refusals: ['invalid_api_key', 'rate_limited'],
  tool: { name: 'report_problem', effect: 'adds' },
});
