import type { Permit } from '../../../domain/access/permit.ts';
import type { DesignDocument, DocumentText, DocumentVersion } from '../../../domain/design/documents/document.ts';
import type { Skill, SkillFile } from '../../../domain/design/documents/skill.ts';
import type { Bases, DraftedVersion, ReviewedVersion } from '../../../domain/design/documents/version-life.ts';
import type { PageOf, PageRequest } from '../../../domain/shared/paging.ts';

/** A document as read; `version` is null if there was none. */
export type ReadDocument = { readonly document: DesignDocument | undefined; readonly version: string | null };

/** A version without its body, as read. */
export type ReadVersion = { readonly version: DocumentVersion; readonly stored: string };

/** The number of entries of a list as read; `version` is null if the list has had no entry yet. */
export type ReadCount = { readonly count: number; readonly version: string | null };

/** The sorted slugs of all documents, as read; `version` is null if there are none. */
export type ReadSlugs = { readonly slugs: readonly string[]; readonly version: string | null };

/**
 * The records that a new version depends on. `documents` is present only if the version may be the first of a document.
 */
export type ReadForDraft = ReadDocument & {
  readonly base: DocumentVersion | undefined;
  readonly documents: ReadSlugs | undefined;
};

/** The records that a submission depends on. */
export type ReadForSubmission = { readonly found: ReadVersion | undefined; readonly pending: ReadCount };

/** The records that a review depends on. `body` is the text of the version. */
export type ReadForReview = ReadForSubmission & {
  readonly read: ReadDocument;
  readonly body: string;
  readonly bases: Bases;
};

/**
 * Design documents and their versions. Reads are strongly consistent; a write loses to every other write since the
 * read.
 */
export interface Documents {
  get(slug: string): Promise<ReadDocument>;
  /** A version in any state, with its body. */
  text(slug: string, number: number): Promise<DocumentText | undefined>;
  /** The document with its current version; without `text` if no version is approved. */
  current(slug: string): Promise<{ readonly document?: DesignDocument; readonly text?: DocumentText }>;
  /** Ordered by slug. */
  page(request: PageRequest): Promise<PageOf<DesignDocument>>;
  /** The versions of a document, newest first, including drafts; the total is 0 if the document does not exist. */
  versions(document: Pick<DesignDocument, 'slug'>, request: PageRequest): Promise<PageOf<DocumentVersion>>;
  /** The versions in review, in the order of their submission. */
  pending(request: PageRequest): Promise<PageOf<DocumentVersion>>;

  /**
   * Reads the records that a new version needs in one round trip. `baseVersion` is 0 if it is based on no other
   * version.
   */
  forDraft(slug: string, baseVersion: number): Promise<ReadForDraft>;
  /**
   * Adds a version and writes its document. Returns false and writes nothing if a record has changed since the read.
   */
  addVersion(permit: Permit, drafted: DraftedVersion, read: ReadForDraft): Promise<boolean>;
  forSubmission(slug: string, number: number): Promise<ReadForSubmission>;
  /** Submits a version for review. Returns false and writes nothing if a record has changed since the read. */
  submit(permit: Permit, version: DocumentVersion, read: ReadForSubmission): Promise<boolean>;
  forReview(slug: string, number: number): Promise<ReadForReview>;
  /**
   * Records a verdict, and also the document if the version becomes the current one. Returns false and writes nothing
   * if a record has changed since the read.
   */
  review(permit: Permit, reviewed: ReviewedVersion, read: ReadForReview): Promise<boolean>;
}

/** A file of the package with its UTF-8 text. */
export type SkillText = SkillFile & { readonly text: string };

/** The skill package that comes with the service. It does not change while the process runs. */
export interface SkillPackage {
  read(): Promise<Omit<Skill, 'files'> & { readonly files: readonly SkillText[] }>;
}
