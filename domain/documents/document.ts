import type { Instant } from '../shared/instant.ts';

export const VERSION_STATES = ['draft', 'in_review', 'approved', 'changes_requested', 'rejected'] as const;
export type VersionState = (typeof VERSION_STATES)[number];

export const VERDICTS = ['approved', 'changes_requested', 'rejected'] as const;
export type Verdict = (typeof VERDICTS)[number];

export type Agent = { readonly id: number; readonly name: string };

/** A design document: the numbers of its versions. Its slug names it. */
export type DesignDocument = {
  readonly slug: string;
  /** The first heading of the current version, or the slug. */
  readonly title: string;
  /** The number of the newest version, whatever its state. Numbers begin with 1 and have no gaps. */
  readonly latest_version: number;
  /** The number of the newest approved version; 0 where none is approved. */
  readonly current_version: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

/** The verdict of a reviewer on a version. */
export type Review = {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly reviewer: Agent;
  readonly reviewed_at: Instant;
};

/** A version without its body. */
export type DocumentVersion = {
  readonly slug: string;
  readonly number: number;
  /** The version that this one changes; 0 is none. */
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
