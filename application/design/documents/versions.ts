import type { DocumentVersion, Verdict } from '../../../domain/design/documents/document.ts';
import {
  drafted,
  judgeDocuments,
  judgeSlug,
  type ReviewedVersion,
  reviewable,
  reviewed,
  submitted,
} from '../../../domain/design/documents/version-life.ts';
import { type Outcome, ok } from '../../../domain/shared/outcome.ts';
import type { Needs } from '../../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../../shared/contended.ts';
import type { Clearance, TwoSteps } from '../../shared/steps.ts';

export type NewDraft = {
  readonly slug: string;
  readonly body: string;
  readonly base_version: number;
  readonly author: DocumentVersion['author'];
};

type DraftRefusal = 'not_found' | 'validation_failed' | 'document_limit_reached';

type Ports = Needs<'clock' | 'digest' | 'documents' | 'pauses'>;

/**
 * Adds a draft to a document, and creates the document with its first draft. Concurrent drafts get different numbers.
 */
export const createDocumentVersion = ({ documents, digest, clock, pauses }: Ports) =>
  async function createDocumentVersion(input: NewDraft): TwoSteps<Outcome<DocumentVersion, DraftRefusal>> {
    const { slug, body, base_version, author } = input;
    const named = judgeSlug(slug);
    if (!named.ok) return named;
    const text = { body, sha256: digest.sha256(body), size: Buffer.byteLength(body) };
    const read = () => documents.forDraft(slug, base_version);
    const first = await read();
    return async ({ permit }: Clearance) => {
      return rereading(pauses, first, read, async (found) => {
        const { document, base } = found;
        const roomy = document ? ok(null) : judgeDocuments(found.documents?.slugs.length ?? 0);
        const made = drafted({ slug, base_version, author, text }, document, base, clock.now());
        if (!made.ok) return made;
        if (!roomy.ok) return roomy;
        if (!(await documents.addVersion(permit, made.value, found))) return CONFLICT;
        const { body: _, ...version } = made.value.text;
        return ok(version);
      });
    };
  };

export type Submitting = {
  readonly slug: string;
  readonly number: number;
  readonly agent: DocumentVersion['author'];
};

/** Submits the caller's own draft for review. */
export const submitDocumentVersion = ({ documents, clock, pauses }: Needs<'clock' | 'documents' | 'pauses'>) =>
  async function submitDocumentVersion({ slug, number, agent }: Submitting) {
    const read = () => documents.forSubmission(slug, number);
    const first = await read();
    return async ({ permit }: Clearance) => {
      return rereading(pauses, first, read, async (found) => {
        const judged = submitted(found.found?.version, agent, found.pending.count, clock.now());
        return !judged.ok || (await documents.submit(permit, judged.value, found)) ? judged : CONFLICT;
      });
    };
  };

export type Reviewing = {
  readonly slug: string;
  readonly number: number;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly reviewer: DocumentVersion['author'];
};

/** Records the verdict on a version in review. Of concurrent verdicts, exactly one is recorded. */
export const reviewDocumentVersion = ({ documents, clock, pauses }: Needs<'clock' | 'documents' | 'pauses'>) =>
  async function reviewDocumentVersion({
    slug,
    number,
    ...judgement
  }: Reviewing): TwoSteps<Outcome<ReviewedVersion, 'not_found' | 'document_state_conflict'>> {
    const read = () => documents.forReview(slug, number);
    const first = await read();
    return async ({ permit }: Clearance) => {
      return rereading(pauses, first, read, async (found) => {
        const { body, bases } = found;
        const target = reviewable(slug, number, { ...found.read, version: found.found?.version, body, bases });
        if (!target.ok) return target;
        const judged = reviewed(judgement, target.value, clock.now());
        return !judged.ok || (await documents.review(permit, judged.value, found)) ? judged : CONFLICT;
      });
    };
  };
