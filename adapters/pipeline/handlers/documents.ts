import type { CreateDocumentVersion } from '../../../application/documents/create-document-version.ts';
import type { ListDocumentVersions } from '../../../application/documents/list-document-versions.ts';
import type { ListPendingReviews } from '../../../application/documents/list-pending-reviews.ts';
import type { ReviewDocumentVersion } from '../../../application/documents/review-document-version.ts';
import type { ShowDocument } from '../../../application/documents/show-document.ts';
import type { ShowManifest } from '../../../application/documents/show-manifest.ts';
import type { SubmitDocumentVersion } from '../../../application/documents/submit-document-version.ts';
import type { AgentPrincipal } from '../../../domain/access/principal.ts';
import { ok, refuse } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = {
  readonly showDocument: ShowDocument;
  readonly listDocumentVersions: ListDocumentVersions;
  readonly createDocumentVersion: CreateDocumentVersion;
  readonly submitDocumentVersion: SubmitDocumentVersion;
  readonly showManifest: ShowManifest;
  readonly reviewDocumentVersion: ReviewDocumentVersion;
  readonly listPendingReviews: ListPendingReviews;
};

export type Answered =
  | 'getDocument'
  | 'listDocumentVersions'
  | 'createDocumentVersion'
  | 'submitDocumentVersion'
  | 'getManifest'
  | 'createReview'
  | 'listPendingReviews';

const nameOf = ({ id, name }: AgentPrincipal) => ({ id, name });

export const documentsHandlers = (use: UseCases): HandlersOf<Answered> => ({
  getDocument: ({ params, query }) => use.showDocument(params.slug, query.version),
  listDocumentVersions: ({ params, query }) => use.listDocumentVersions(params.slug, query),
  createDocumentVersion: async ({ caller, params, body, permit }) => {
    const author = nameOf(caller);
    const created = await use.createDocumentVersion({ slug: params.slug, ...body, author, permit });
    return created.ok ? ok({ version: created.value }) : created;
  },
  submitDocumentVersion: async ({ caller, params: { slug, number }, permit }) => {
    if (number === null) return refuse('not_found');
    const submitted = await use.submitDocumentVersion({ slug, number, agent: nameOf(caller), permit });
    return submitted.ok ? ok({ version: submitted.value }) : submitted;
  },
  getManifest: async ({ query }) => ok(await use.showManifest(query)),
  createReview: ({ caller, body: { version: number, ...judgement }, permit }) =>
    use.reviewDocumentVersion({ ...judgement, number, reviewer: nameOf(caller), permit }),
  listPendingReviews: async ({ query }) => ok(await use.listPendingReviews(query)),
});
