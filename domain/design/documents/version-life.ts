import type { Instant } from '../../shared/instant.ts';
import { type Outcome, ok, refuse } from '../../shared/outcome.ts';
import type { PageOf } from '../../shared/paging.ts';
import {
  type Agent,
  type DesignDocument,
  type DocumentText,
  type DocumentVersion,
  isSlug,
  MAX_DOCUMENTS,
  MAX_PENDING,
  MAX_VERSIONS,
  type Review,
  type Verdict,
} from './document.ts';
import { markdownTitle } from './markdown-title.ts';

/*
 * The life of a version: its author drafts it and submits it; a reviewer approves it, asks for changes or rejects it.
 * A verdict is final. The current version of a document is its newest approved one.
 */

/** The text that an agent wants to add as a draft, with the hash of the text and its size in bytes of UTF-8. */
export type Draft = {
  readonly slug: string;
  readonly base_version: number;
  readonly author: Agent;
  readonly text: { readonly body: string; readonly sha256: string; readonly size: number };
};

export type DraftedVersion = { readonly document: DesignDocument; readonly text: DocumentText };

const noDocument = (slug: string) =>
  refuse('not_found', { message: `There is no document "${slug}"; list the documents for their slugs.` });

/** Refuses a version for an invalid slug. */
export const judgeSlug = (slug: string): Outcome<null, 'not_found'> =>
  isSlug(slug)
    ? ok(null)
    : refuse('not_found', {
        message:
          'A slug consists of lower-case letters and digits with single hyphens between them, at most 100 characters.',
      });

/** Refuses a new document if the store has the maximum. */
export const judgeDocuments = (count: number): Outcome<null, 'document_limit_reached'> =>
  count < MAX_DOCUMENTS
    ? ok(null)
    : refuse('document_limit_reached', {
        message: `There are ${MAX_DOCUMENTS} documents, the maximum; change one of them instead.`,
      });

const isHidden = (version: DocumentVersion, agent: Agent): boolean =>
  version.state === 'draft' && version.author.id !== agent.id;

/**
 * The draft as the next version of its document, which is undefined for the first version. `base` is the draft's base
 * version, if it exists.
 */
export const drafted = (
  { slug, base_version, author, text }: Draft,
  document: DesignDocument | undefined,
  base: DocumentVersion | undefined,
  now: Instant,
): Outcome<DraftedVersion, 'validation_failed' | 'document_limit_reached'> => {
  if (base_version !== 0 && (!base || isHidden(base, author))) {
    const sentence = `The base version field must be 0 or the number of a version of this document that you can read.`;
    return refuse('validation_failed', { data: { errors: { base_version: [sentence] } } });
  }
  const number = (document?.latest_version ?? 0) + 1;
  if (number > MAX_VERSIONS) {
    return refuse('document_limit_reached', {
      message: `This document has ${MAX_VERSIONS} versions, the maximum; continue in a new document.`,
    });
  }
  return ok({
    document: {
      slug,
      title: document?.title ?? slug,
      latest_version: number,
      current_version: document?.current_version ?? 0,
      created_at: document?.created_at ?? now,
      updated_at: now,
    },
    text: {
      slug,
      number,
      base_version,
      state: 'draft',
      author,
      sha256: text.sha256,
      size: text.size,
      created_at: now,
      submitted_at: null,
      review: null,
      body: text.body,
    },
  });
};

const STANDS: Readonly<Record<DocumentVersion['state'], string>> = {
  draft: 'is still a draft',
  in_review: 'waits for its verdict',
  approved: 'is approved',
  changes_requested: 'has its verdict: changes are requested',
  rejected: 'is rejected',
};

const wrongState = ({ number, state }: DocumentVersion, advice: string) =>
  refuse('document_state_conflict', {
    message: `Version ${number} ${STANDS[state]}; ${advice}`,
    data: { state },
  });

/** The caller's own draft, submitted for review. `pending` is the number of versions that await review. */
export const submitted = (
  version: DocumentVersion | undefined,
  agent: Agent,
  pending: number,
  now: Instant,
): Outcome<DocumentVersion, 'not_found' | 'document_state_conflict' | 'document_limit_reached'> => {
  if (!version || isHidden(version, agent)) {
    return refuse('not_found', { message: 'You have no such draft; create one and submit the number in the answer.' });
  }
  if (version.state !== 'draft') {
    return wrongState(version, 'only a draft can be submitted. Create a new version for further changes.');
  }
  if (pending >= MAX_PENDING) {
    return refuse('document_limit_reached', {
      message: `${MAX_PENDING} versions await review, the maximum; submit this one after some are reviewed.`,
    });
  }
  return ok({ ...version, state: 'in_review', submitted_at: now });
};

/** The base of each version, by number, for a version's ancestors down to the current version of the document. */
export type Bases = ReadonlyMap<number, number>;

/** True if the version is based on the current one, directly or through versions that were sent back. */
const buildsOn = (current: number, { base_version }: DocumentVersion, bases: Bases): boolean => {
  let base = base_version;
  while (base > current) base = bases.get(base) ?? -1;
  return base === current;
};

/** A version with its verdict, and its document afterwards. */
export type ReviewedVersion = { readonly version: DocumentVersion; readonly document: DesignDocument };

export type Judgement = { readonly verdict: Verdict; readonly reason: string; readonly reviewer: Agent };

/**
 * The version with its verdict. An approved version becomes the current one. It must be based on the previous current
 * version, directly or through versions that were sent back, so no approved change is lost. `body` is the text of the
 * version.
 */
export const reviewed = (
  { verdict, reason, reviewer }: Judgement,
  {
    version,
    document,
    body,
    bases,
  }: { version: DocumentVersion; document: DesignDocument; body: string; bases: Bases },
  now: Instant,
): Outcome<ReviewedVersion, 'document_state_conflict'> => {
  if (version.state !== 'in_review') return wrongState(version, 'a verdict is given once, on a submitted version.');
  const { current_version } = document;
  if (verdict === 'approved' && !buildsOn(current_version, version, bases)) {
    return refuse('document_state_conflict', {
      message: `Version ${version.number} does not build on version ${current_version}, which is current; ask for changes on top of the current version.`,
      data: { current_version },
    });
  }
  const review: Review = { verdict, reason, reviewer, reviewed_at: now };
  const judged: DocumentVersion = { ...version, state: verdict, review };
  if (verdict !== 'approved') return ok({ version: judged, document });
  const title = markdownTitle(body) ?? document.slug;
  return ok({ version: judged, document: { ...document, title, current_version: version.number, updated_at: now } });
};

/** The page of a document's versions, newest first. */
export const listedVersions = (
  slug: string,
  page: PageOf<DocumentVersion>,
): Outcome<PageOf<DocumentVersion>, 'not_found'> => (page.total > 0 ? ok(page) : noDocument(slug));

/** The version that a reviewer addresses, with its document and its text. */
export const reviewable = (
  slug: string,
  number: number,
  found: {
    readonly document: DesignDocument | undefined;
    readonly version: DocumentVersion | undefined;
    readonly body: string;
    readonly bases: Bases;
  },
): Outcome<ReviewedVersion & { readonly body: string; readonly bases: Bases }, 'not_found'> => {
  const { document, version, body, bases } = found;
  if (!document) return noDocument(slug);
  if (version) return ok({ document, version, body, bases });
  return refuse('not_found', {
    message: `There is no version ${number} of "${slug}"; the pending reviews list the versions that await review.`,
  });
};

/** The text that readers of a document see; only authors see their drafts. */
export const readable = (
  { slug, number }: { readonly slug: string; readonly number: number | null },
  document: DesignDocument | undefined,
  text: DocumentText | undefined,
): Outcome<{ readonly document: DesignDocument; readonly version: DocumentText }, 'not_found'> => {
  if (!document) return noDocument(slug);
  if (text && text.state !== 'draft') return ok({ document, version: text });
  return refuse('not_found', {
    message:
      number === null
        ? `No version of "${slug}" is approved yet; list its versions and name one with version.`
        : `There is no version ${number} of "${slug}" to read; list its versions for their numbers and states.`,
  });
};
