import type { DocumentVersion } from '../../domain/documents/document.ts';
import { drafted, judgeDocuments, judgeSlug } from '../../domain/documents/version-life.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';

export type Ports = Needs<'clock' | 'digest' | 'documents' | 'pauses'>;

export type Input = {
  readonly slug: string;
  readonly body: string;
  readonly base_version: number;
  readonly author: DocumentVersion['author'];
};

export type Refusal = 'not_found' | 'validation_failed' | 'document_limit_reached';

/** Adds a draft to a document, which the first draft creates. However many come at once, each gets a number of its own. */
export const createDocumentVersion =
  ({ documents, digest, clock, pauses }: Ports) =>
  async (input: Input): TwoSteps<Outcome<DocumentVersion, Refusal>> => {
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

export type CreateDocumentVersion = ReturnType<typeof createDocumentVersion>;
