import {
  listDocumentVersions,
  listPendingReviews,
  showDocument,
  showManifest,
} from '../../../../application/design/documents/browse.ts';
import {
  createDocumentVersion,
  reviewDocumentVersion,
  submitDocumentVersion,
} from '../../../../application/design/documents/versions.ts';
import { shaped } from '../../../../application/shared/steps.ts';
import type { AgentPrincipal } from '../../../../domain/access/principal.ts';
import { ok, refuse } from '../../../../domain/shared/outcome.ts';
import * as designDocuments from '../../../../ports/inbound/design/documents.ts';
import { handling } from '../handling.ts';

const nameOf = ({ id, name }: AgentPrincipal) => ({ id, name });

export const documentsHandlers = handling(
  designDocuments,
  {
    showDocument,
    listDocumentVersions,
    createDocumentVersion,
    submitDocumentVersion,
    showManifest,
    reviewDocumentVersion,
    listPendingReviews,
  },
  (use) => ({
    getDocument: ({ params, query }) => use.showDocument(params.slug, query.version),
    listDocumentVersions: ({ params, query }) => use.listDocumentVersions(params.slug, query),
    createDocumentVersion: ({ caller, params, body }) => {
      const author = nameOf(caller);
      return shaped(use.createDocumentVersion({ slug: params.slug, ...body, author }), (version) => ({ version }));
    },
    submitDocumentVersion: async ({ caller, params: { slug, number } }) => {
      if (number === null) return refuse('not_found');
      return shaped(use.submitDocumentVersion({ slug, number, agent: nameOf(caller) }), (version) => ({ version }));
    },
    getManifest: async ({ query }) => ok(await use.showManifest(query)),
    createReview: ({ caller, body: { version: number, ...judgement } }) =>
      use.reviewDocumentVersion({ ...judgement, number, reviewer: nameOf(caller) }),
    listPendingReviews: async ({ query }) => ok(await use.listPendingReviews(query)),
  }),
);
