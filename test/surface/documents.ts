import type { DocumentVersion, Verdict } from '../../domain/design/documents/document.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { passed } from '../support/permits.ts';
import { slugOf } from './good-requests.ts';

type Agent = DocumentVersion['author'];

const WRITER: Agent = { id: 1, name: 'first writer' };
export const REVIEWER: Agent = { id: 2, name: 'first reviewer' };

type Made =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message?: string | undefined };

const done = <O extends Made>(outcome: O): Extract<O, { ok: true }>['value'] => {
  if (!outcome.ok) throw new Error(outcome.message ?? 'The document could not be made.');
  return outcome.value;
};

/** Writes documents as agents do, without HTTP. */
export const documentsOf = (service: Service) => ({
  draft: async (slug: string, base_version: number, author = WRITER, body = `# Text on ${base_version}\n`) =>
    done(await passed(service.get('createDocumentVersion')({ slug, body, base_version, author }))),
  submit: async (slug: string, number: number, agent = WRITER) =>
    done(await passed(service.get('submitDocumentVersion')({ slug, number, agent }))),
  review: async (slug: string, number: number, verdict: Verdict) =>
    done(
      await passed(
        service.get('reviewDocumentVersion')({
          slug,
          number,
          verdict,
          reason: 'As it is.',
          reviewer: REVIEWER,
        }),
      ),
    ),
});

let documents = 0;

/**
 * Creates a document for one agent's valid requests, and returns its number: version 1 is approved, version 2 is a
 * draft of the agent, version 3 is in review.
 */
export const aDocument = async (service: Service, agentId: number): Promise<number> => {
  documents += 1;
  const number = documents;
  const slug = slugOf(number);
  const { draft, submit, review } = documentsOf(service);
  await draft(slug, 0);
  await submit(slug, 1);
  await review(slug, 1, 'approved');
  await draft(slug, 1, { id: agentId, name: 'caller' });
  await draft(slug, 1);
  await submit(slug, 3);
  return number;
};
