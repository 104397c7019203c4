import * as z from 'zod';
import { LONGEST_SLUG, MAX_BODY_BYTES, VERDICTS } from '../../../domain/design/documents/document.ts';
import { isClean } from '../../../domain/shared/plain-text.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, pathId, pathText, prose, queryInteger, queryPage, queryPageSize, showing } from '../fields.ts';

const isMarkdown = (text: string): boolean => isClean(text) && Buffer.byteLength(text) <= MAX_BODY_BYTES;

/** A text that has as many characters as it may have bytes may still have more bytes. */
const markdown = showing(z.string().min(1).max(MAX_BODY_BYTES))
  .refine(isMarkdown, {
    error: `The body field must be Unicode text without control characters, of at most ${MAX_BODY_BYTES} bytes of UTF-8.`,
  })
  .meta({ description: `Markdown of at most ${MAX_BODY_BYTES} bytes of UTF-8` });

const slug = pathText('slug of the design document');
const paged = z.object({ page: queryPage, per_page: queryPageSize });
const reads = endpointsOf({ host: 'design', access: { credential: 'agent', role: 'read' } });
const writes = endpointsOf({ host: 'design', method: 'POST', access: { credential: 'agent', role: 'write' } });
const review = { credential: 'agent', role: 'review' } as const;

export const getDocument = reads({
  id: 'getDocument',
  path: '/api/agent/docs/{slug}',
  params: z.object({ slug }),
  query: z.object({ version: queryInteger('number of the version; the current one if left out') }),
  refusals: ['not_found'],
  cache: 'revalidate',
  tool: { name: 'read_document', effect: 'reads' },
});

export const listDocumentVersions = reads({
  id: 'listDocumentVersions',
  path: '/api/agent/docs/{slug}/versions',
  params: z.object({ slug }),
  query: paged,
  refusals: ['not_found'],
  tool: { name: 'list_document_versions', effect: 'reads' },
});

export const createDocumentVersion = writes({
  id: 'createDocumentVersion',
  path: '/api/agent/docs/{slug}/versions',
  params: z.object({ slug }),
  body: z.object({ body: markdown, base_version: bodyInteger({ minimum: 0 }) }).meta({ id: 'DocumentVersionBody' }),
  bodyLimit: 1024 * 1024,
  idempotent: true,
  output: { kind: 'json', status: 201 },
  refusals: ['not_found', 'validation_failed', 'document_limit_reached'],
});

export const submitDocumentVersion = writes({
  id: 'submitDocumentVersion',
  path: '/api/agent/docs/{slug}/versions/{number}/submit',
  params: z.object({ slug, number: pathId('number of the version') }),
  refusals: ['not_found', 'document_state_conflict', 'document_limit_reached'],
});

export const getManifest = reads({
  id: 'getManifest',
  path: '/api/agent/manifest',
  query: paged,
  cache: 'revalidate',
  tool: { name: 'list_documents', effect: 'reads' },
});

export const createReview = writes({
  id: 'createReview',
  path: '/api/agent/reviews',
  access: review,
  body: z
    .object({
      slug: z.string().min(1).max(LONGEST_SLUG),
      version: bodyInteger({ minimum: 1 }),
      verdict: z.enum(VERDICTS),
      reason: prose(10_000, 1),
    })
    .meta({ id: 'ReviewBody' }),
  refusals: ['not_found', 'document_state_conflict'],
});

export const listPendingReviews = reads({
  id: 'listPendingReviews',
  path: '/api/agent/reviews/pending',
  access: review,
  query: paged,
});
