import type { DocumentVersion, Verdict } from '../../domain/documents/document.ts';
import { type ReviewedVersion, reviewable, reviewed } from '../../domain/documents/version-life.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';

export type Ports = Needs<'clock' | 'documents' | 'pauses'>;

export type Input = {
  readonly slug: string;
  readonly number: number;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly reviewer: DocumentVersion['author'];
};

/** Records a verdict on a version that waits for one. However many come at once, exactly one is recorded. */
export const reviewDocumentVersion =
  ({ documents, clock, pauses }: Ports) =>
  async ({
    slug,
    number,
    ...judgement
  }: Input): TwoSteps<Outcome<ReviewedVersion, 'not_found' | 'document_state_conflict'>> => {
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

export type ReviewDocumentVersion = ReturnType<typeof reviewDocumentVersion>;
