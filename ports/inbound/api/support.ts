import * as z from 'zod';
import { ERROR_TYPES } from '../../../domain/support/error-report.ts';
import { REPORT_KINDS } from '../../../domain/support/ticket.ts';
import { boundedObject } from '../bounded-object.ts';
import { endpoint } from '../endpoint.ts';
import { deviceIdOrNull, orNull } from '../fields.ts';

const MIB = 1024 * 1024;

/** A text that is kept as it came, and has a character other than white space. */
const notBlank = (field: string, most: number) =>
  z.string().min(1).max(most).regex(/\S/, `The ${field} field must not be blank.`);

/**
 * The lengths of texts are counted in UTF-16 code units. Texts with control characters are taken, so that no crash goes
 * unreported; scrubbing makes the characters visible.
 */
const ErrorReportBody = z
  .object({
    app_bundle_id: notBlank('app bundle id', 255),
    app_version: notBlank('app version', 50),
    os_version: orNull(z.string().max(50)),
    device_model: orNull(z.string().max(100)),
    error_type: z.enum(ERROR_TYPES),
    error_message: notBlank('error message', 10_000),
    stack_trace: orNull(z.string().max(50_000)),
    context: orNull(boundedObject('context', { characters: 16_384, levels: 8 })).meta({
      description: 'details that help to understand the error; at most 16 KiB of JSON, 8 levels deep',
    }),
  })
  .meta({ id: 'ErrorReportBody' });

const SupportReportBody = z
  .object({
    kind: z.enum(REPORT_KINDS),
    summary: z.string().trim().min(1).max(500),
    detail: z.string().trim().min(1).max(20_000),
    app_bundle_id: orNull(z.string().max(255)),
    app_version: orNull(z.string().max(50)),
    macos_version: orNull(z.string().max(50)),
    device_id: deviceIdOrNull,
  })
  .meta({ id: 'SupportReportBody' });

export const reportError = endpoint({
  id: 'reportError',
  host: 'api',
  method: 'POST',
  path: '/api/error-reports',
  access: { credential: 'none' },
  body: ErrorReportBody,
  bodyLimit: MIB / 2,
  perMinute: 5,
  idempotent: true,
  output: { kind: 'json', status: 201 },
  refusals: [],
  tool: { name: 'report_error', effect: 'adds' },
});

export const reportProblem = endpoint({
  id: 'reportProblem',
  host: 'api',
  method: 'POST',
  path: '/api/support/reports',
  access: { credential: 'key', ability: 'support.report' },
  body: SupportReportBody,
  bodyLimit: MIB / 4,
  files: { bundle: { maxBytes: 20 * MIB, required: false } },
  idempotent: true,
  output: { kind: 'json', status: 201, joinedBy: 'deduplicated' },
  refusals: ['invalid_api_key', 'rate_limited'],
  tool: { name: 'report_problem', effect: 'adds' },
});
