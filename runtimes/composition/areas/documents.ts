import { join } from 'node:path';
import { SkillFolder } from '../../../adapters/filesystem/skill-folder.ts';
import { documentsHandlers } from '../../../adapters/pipeline/handlers/documents.ts';
import { StoredDocuments } from '../../../adapters/store/documents.ts';
import { BrowseDocuments } from '../../../application/documents/browse-documents.ts';
import { BrowseVersions } from '../../../application/documents/browse-versions.ts';
import { CreateDocumentVersion } from '../../../application/documents/create-document-version.ts';
import { ListDocumentVersions } from '../../../application/documents/list-document-versions.ts';
import { ListPendingReviews } from '../../../application/documents/list-pending-reviews.ts';
import { ReviewDocumentVersion } from '../../../application/documents/review-document-version.ts';
import { ShowDocument } from '../../../application/documents/show-document.ts';
import { ShowManifest } from '../../../application/documents/show-manifest.ts';
import { SubmitDocumentVersion } from '../../../application/documents/submit-document-version.ts';
import * as designDocuments from '../../../ports/inbound/design/documents.ts';
import type { Documents } from '../../../ports/outbound/documents.ts';
import type { SkillPackage } from '../../../ports/outbound/skill-package.ts';
import { onAudited, part } from '../area.ts';
import { packageRoot } from '../package-root.ts';
import { forAgents } from './agents.ts';

/** Design documents, their reviews, and the skill package for agents. */
export const documents = {
  parts: {
    documents: onAudited<Documents>(StoredDocuments),
    // A function's bundle has the folder beside its code, and a package.json there.
    skillPackage: (): SkillPackage => new SkillFolder(join(packageRoot(), 'adapters', 'host', 'design-skill')),
    showDocument: part(ShowDocument),
    browseDocuments: part(BrowseDocuments),
    browseVersions: part(BrowseVersions),
    listDocumentVersions: part(ListDocumentVersions),
    createDocumentVersion: part(CreateDocumentVersion),
    submitDocumentVersion: part(SubmitDocumentVersion),
    showManifest: part(ShowManifest),
    reviewDocumentVersion: part(ReviewDocumentVersion),
    listPendingReviews: part(ListPendingReviews),
  },
  endpoints: designDocuments,
  handlers: forAgents(documentsHandlers),
};
