import type { DocumentVersion } from '../../domain/documents/document.ts';
import { submitted } from '../../domain/documents/version-life.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { Clearance } from '../shared/steps.ts';

export type Ports = Needs<'clock' | 'documents' | 'pauses'>;

export type Input = {
  readonly slug: string;
  readonly number: number;
  readonly agent: DocumentVersion['author'];
};

/** Puts the caller's own draft up for review. */
export const submitDocumentVersion =
  ({ documents, clock, pauses }: Ports) =>
  async ({ slug, number, agent }: Input) => {
    const read = () => documents.forSubmission(slug, number);
    const first = await read();
    return async ({ permit }: Clearance) => {
      return rereading(pauses, first, read, async (found) => {
        const judged = submitted(found.found?.version, agent, found.pending.count, clock.now());
        return !judged.ok || (await documents.submit(permit, judged.value, found)) ? judged : CONFLICT;
      });
    };
  };

export type SubmitDocumentVersion = ReturnType<typeof submitDocumentVersion>;
