import * as z from 'zod';
import { LONGEST_SLUG, MAX_BODY_BYTES, VERDICTS, VERSION_STATES } from '../../../domain/design/documents/document.ts';
import { isClean } from '../../../domain/shared/plain-text.ts';
import { component, dateTime, id, once, pagedData } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, notBlank, pathId, pathText, prose, queryInteger, queryPage, queryPageSize } from '../fields.ts';

const isMarkdown = (text: string): boolean => isClean(text) && Buffer.byteLength(text) <= MAX_BODY_BYTES;

/** A text within the limit of characters may still have too many bytes. */
const markdown = notBlank(z.string().min(1).max(MAX_BODY_BYTES))
  .refine(isMarkdown, {
    error: `The body field must be Unicode text without control characters, of at most ${MAX_BODY_BYTES} bytes of UTF-8.`,
  })
  .meta({ description: `Markdown of at most ${MAX_BODY_BYTES} bytes of UTF-8` });

const slug = pathText('slug of the design document');
const paged = () => z.object({ page: queryPage, per_page: queryPageSize });
const reads = endpointsOf({ host: 'design', access: { credential: 'agent', role: 'read' } });
const writes = endpointsOf({ host: 'design', method: 'POST', access: { credential: 'agent', role: 'write' } });
const review = { credential: 'agent', role: 'review' } as const;

const sha256 = z.string().describe('lower-case hex');

const agent = once(() => z.object({ id, name: z.string() }));

const number = z.int().describe('counted from 1, without gaps');

const designDocumentData = once(() =>
  component('DesignDocumentData', {
    slug: z.string(),
    title: z.string().describe('the first heading of the current version; the slug where there is none'),
    latest_version: z.int().describe('number of the newest version, whatever its state'),
    current_version: z.int().describe('number of the newest approved version; 0 where none is approved'),
    created_at: dateTime,
    updated_at: dateTime,
  }),
);

const reviewData = once(() =>
  component('ReviewData', {
    verdict: z.enum(VERDICTS),
    reason: z.string(),
    reviewer: agent(),
    reviewed_at: dateTime,
  }),
);

const documentVersionData = once(() =>
  component('DocumentVersionData', {
    slug: z.string(),
    number,
    base_version: z.int().describe('the version that this one changes; 0 for none'),
    state: z.enum(VERSION_STATES),
    author: agent(),
    sha256,
    size: z.int().describe('bytes of UTF-8'),
    created_at: dateTime,
    submitted_at: dateTime.nullable(),
    review: reviewData().nullable(),
  }),
);

const documentVersionListData = once(() => component('DocumentVersionListData', pagedData(documentVersionData())));

const documentVersionShowData = once(() => component('DocumentVersionShowData', { version: documentVersionData() }));

export const getDocument = reads({
  id: 'getDocument',
  path: '/api/agent/docs/{slug}',
  params: () => z.object({ slug }),
  query: () => z.object({ version: queryInteger('number of the version; the current one if left out') }),
  answer: () =>
    component('DocumentShowData', {
      document: designDocumentData(),
      version: documentVersionData()
        .extend({ body: z.string().describe('Markdown') })
        .meta({ id: 'DocumentTextData' }),
    }),
  refusals: ['not_found'],
  cache: 'revalidate',
  tool: { name: 'read_document', effect: 'reads' },
});

export const listDocumentVersions = reads({
  id: 'listDocumentVersions',
  path: '/api/agent/docs/{slug}/versions',
  params: () => z.object({ slug }),
  query: paged,
  answer: documentVersionListData,
  refusals: ['not_found'],
  tool: { name: 'list_document_versions', effect: 'reads' },
});

export const createDocumentVersion = writes({
  id: 'createDocumentVersion',
  path: '/api/agent/docs/{slug}/versions',
  params: () => z.object({ slug }),
  body: () => component('DocumentVersionBody', { body: markdown, base_version: bodyInteger({ minimum: 0 }) }),
  bodyLimit: 1024 * 1024,
  idempotent: true,
  answer: documentVersionShowData,
  output: { kind: 'json', status: 201 },
  refusals: ['not_found', 'validation_failed', 'document_limit_reached'],
});

export const submitDocumentVersion = writes({
  id: 'submitDocumentVersion',
  path: '/api/agent/docs/{slug}/versions/{number}/submit',
  params: () => z.object({ slug, number: pathId('number of the version') }),
  answer: documentVersionShowData,
  refusals: ['not_found', 'document_state_conflict', 'document_limit_reached'],
});

export const getManifest = reads({
  id: 'getManifest',
  path: '/api/agent/manifest',
  query: paged,
  answer: () =>
    component('ManifestData', {
      ...pagedData(designDocumentData()),
      skill: z.object({
        name: z.string(),
        version: z.string(),
        sha256: sha256.describe(
          'the SHA-256 of the lines that `sha256sum` prints for the files in the order of their paths: hash, two blanks, path, line feed',
        ),
        size: z.int().describe('bytes of all files'),
        files: z.array(z.object({ path: z.string(), sha256, size: z.int(), download_url: z.url() })),
      }),
    }),
  cache: 'revalidate',
  tool: { name: 'list_documents', effect: 'reads' },
});

export const createReview = writes({
  id: 'createReview',
  path: '/api/agent/reviews',
  access: review,
  body: () =>
    component('ReviewBody', {
      slug: z.string().min(1).max(LONGEST_SLUG),
      version: bodyInteger({ minimum: 1 }),
      verdict: z.enum(VERDICTS),
      reason: prose(10_000, 1),
    }),
  answer: () => component('ReviewedVersionData', { version: documentVersionData(), document: designDocumentData() }),
  refusals: ['not_found', 'document_state_conflict'],
});

export const listPendingReviews = reads({
  id: 'listPendingReviews',
  path: '/api/agent/reviews/pending',
  access: review,
  query: paged,
  answer: documentVersionListData,
});
