import { join } from 'node:path';
import { SkillFolder } from '../../../../adapters/filesystem/skill-folder.ts';
import { documentsHandlers } from '../../../../adapters/pipeline/handlers/design/documents.ts';
import { StoredDocuments } from '../../../../adapters/store/design/documents.ts';
import { browseDocuments, browseVersions } from '../../../../application/design/documents/browse.ts';
import type { Documents, SkillPackage } from '../../../../ports/outbound/design/documents.ts';
import { packageRoot } from '../../../configuration/installation.ts';
import { onAudited, withParts } from '../../area.ts';

/** Design documents, their reviews, and the skill package for agents. */
export const documents = withParts(documentsHandlers, {
  documents: onAudited<Documents>(StoredDocuments),
  // A function's bundle has the folder beside its code, and a package.json there.
  skillPackage: (): SkillPackage => new SkillFolder(join(packageRoot(), 'adapters', 'design', 'skill')),
  browseDocuments,
  browseVersions,
});
