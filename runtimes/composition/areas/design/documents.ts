import { join } from 'node:path';
import { SkillFolder } from '../../../../adapters/filesystem/skill-folder.ts';
import { StoredDocuments } from '../../../../adapters/store/design/documents.ts';
import {
  browseDocuments,
  browseVersions,
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
import type { Documents, SkillPackage } from '../../../../ports/outbound/design/documents.ts';
import { area, onAudited } from '../../area.ts';
import { packageRoot } from '../../installation.ts';

const nameOf = ({ id, name }: AgentPrincipal) => ({ id, name });

/** Design documents, their reviews, and the skill package for agents. */
export const documents = area({
  parts: {
    documents: onAudited<Documents>(StoredDocuments),
    // A function's bundle has the folder beside its code, and a package.json there.
    skillPackage: (): SkillPackage => new SkillFolder(join(packageRoot(), 'adapters', 'design', 'skill')),
    showDocument,
    browseDocuments,
    browseVersions,
    listDocumentVersions,
    createDocumentVersion,
    submitDocumentVersion,
    showManifest,
    reviewDocumentVersion,
    listPendingReviews,
  },
  endpoints: designDocuments,
  handlers: (use) => ({
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
});
