import { join } from 'node:path';
import { SkillFolder } from '../../../adapters/filesystem/skill-folder.ts';
import { documentsHandlers } from '../../../adapters/pipeline/handlers/documents.ts';
import { StoredDocuments } from '../../../adapters/store/documents.ts';
import { browseDocuments } from '../../../application/documents/browse-documents.ts';
import { browseVersions } from '../../../application/documents/browse-versions.ts';
import { createDocumentVersion } from '../../../application/documents/create-document-version.ts';
import { listDocumentVersions } from '../../../application/documents/list-document-versions.ts';
import { listPendingReviews } from '../../../application/documents/list-pending-reviews.ts';
import { reviewDocumentVersion } from '../../../application/documents/review-document-version.ts';
import { showDocument } from '../../../application/documents/show-document.ts';
import { showManifest } from '../../../application/documents/show-manifest.ts';
import { submitDocumentVersion } from '../../../application/documents/submit-document-version.ts';
import * as designDocuments from '../../../ports/inbound/design/documents.ts';
import type { Documents } from '../../../ports/outbound/documents.ts';
import type { SkillPackage } from '../../../ports/outbound/skill-package.ts';
import { onAudited } from '../area.ts';
import { packageRoot } from '../package-root.ts';
import { forAgents } from './agents.ts';

/** Design documents, their reviews, and the skill package for agents. */
export const documents = {
  parts: {
    documents: onAudited<Documents>(StoredDocuments),
    // A function's bundle has the folder beside its code, and a package.json there.
    skillPackage: (): SkillPackage => new SkillFolder(join(packageRoot(), 'adapters', 'host', 'design-skill')),
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
  handlers: forAgents(documentsHandlers),
};
