import type { Instant } from '../../shared/instant.ts';

/** The maximum size of a version's text in bytes of UTF-8. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The maximum number of documents, of versions of one document, and of versions that await review. */
export const MAX_DOCUMENTS = 500;
export const MAX_VERSIONS = 10_000;
export const MAX_PENDING = 500;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const LONGEST_SLUG = 100;

/** True for a valid document name: lower-case letters and digits, with single hyphens between them. */
export const isSlug = (text: string): boolean => text.length <= LONGEST_SLUG && SLUG.test(text);

export const VERSION_STATES = ['draft', 'in_review', 'approved', 'changes_requested', 'rejected'] as const;
export type VersionState = (typeof VERSION_STATES)[number];

export const VERDICTS = ['approved', 'changes_requested', 'rejected'] as const;
export type Verdict = (typeof VERDICTS)[number];

export type Agent = { readonly id: number; readonly name: string };

/** A design document and the numbers of its versions. The slug identifies it. */
export type DesignDocument = {
  readonly slug: string;
  /** The first heading of the current version, or the slug. */
  readonly title: string;
  /** The number of the newest version, whatever its state. Numbers start at 1 and have no gaps. */
  readonly latest_version: number;
  /** The number of the newest approved version; 0 if none is approved. */
  readonly current_version: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

export type Review = {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly reviewer: Agent;
  readonly reviewed_at: Instant;
};

export type DocumentVersion = {
  readonly slug: string;
  readonly number: number;
  /** The version that this one is based on; 0 for none. */
  readonly base_version: number;
  readonly state: VersionState;
  readonly author: Agent;
  /** The hash of the body, and its size in bytes of UTF-8. */
  readonly sha256: string;
  readonly size: number;
  readonly created_at: Instant;
  readonly submitted_at: Instant | null;
  readonly review: Review | null;
};

/** A version with its text, which is Markdown. */
export type DocumentText = DocumentVersion & { readonly body: string };
