import type { Permit } from '../../../domain/access/permit.ts';
import { auditEvent, type Subject } from '../../../domain/audit/event.ts';
import type {
  DesignDocument,
  DocumentText,
  DocumentVersion,
  Verdict,
} from '../../../domain/design/documents/document.ts';
import type { Bases, DraftedVersion, ReviewedVersion } from '../../../domain/design/documents/version-life.ts';
import { offsetOf, type PageOf, type PageRequest } from '../../../domain/shared/paging.ts';
import type {
  Documents,
  ReadDocument,
  ReadForDraft,
  ReadForReview,
  ReadForSubmission,
} from '../../../ports/outbound/design/documents.ts';
import { documentKeys, type PendingCount } from '../keys/design/documents.ts';
import { bodyOf, type PackedBody, packedBody } from '../packed-body.ts';
import { firstItems, ifUnchanged, itemOf } from '../records.ts';
import { Audited } from '../repository.ts';
import type { Item } from '../table.ts';
import type { TypedWrite } from '../typed-table.ts';

const readDocument = (item: Item<DesignDocument> | undefined): ReadDocument => ({
  document: item?.data,
  version: item?.version ?? null,
});

const readSubmission = (
  version: Item<DocumentVersion> | undefined,
  pending: Item<PendingCount> | undefined,
): ReadForSubmission => ({
  found: version && { version: version.data, stored: version.version },
  pending: { count: pending?.data.count ?? 0, version: pending?.version ?? null },
});

const withBody = (version: DocumentVersion, body: PackedBody): DocumentText => ({ ...version, body: bodyOf(body) });

const subjectOf = ({ slug, number }: DocumentVersion): Subject => ({ kind: 'document', id: `${slug}@${number}` });

const foundIn = ({ found }: ReadForSubmission): string => {
  if (!found) throw new Error('A version that was not read can’t change.');
  return found.stored;
};

/**
 * A document is an item in the list of documents; an ordered list of all slugs is stored with them. Its versions and
 * their bodies are items of its own partition. Each transaction requires the records that its decision read to be
 * unchanged.
 */
export class StoredDocuments extends Audited implements Documents {
  async get(slug: string): Promise<ReadDocument> {
    return readDocument(await this.table.get(documentKeys.document(slug)));
  }

  async text(slug: string, number: number): Promise<DocumentText | undefined> {
    const [version, body] = await this.table.getMany([
      documentKeys.version(slug, number),
      documentKeys.body(slug, number),
    ]);
    return version && body && withBody(version.data, body.data);
  }

  async current(slug: string): Promise<{ document?: DesignDocument; text?: DocumentText }> {
    const [item, current] = await this.table.getMany([documentKeys.document(slug), documentKeys.current(slug)]);
    if (!item) return {};
    const document = item.data;
    if (document.current_version === 0) return { document };
    if (current?.data.number === document.current_version) {
      const { deflated, ...version } = current.data;
      return { document, text: withBody(version, { deflated }) };
    }
    // The two items may be from different moments.
    const text = await this.text(slug, document.current_version);
    return text ? { document, text } : { document };
  }

  async page(request: PageRequest): Promise<PageOf<DesignDocument>> {
    const { page, per_page } = request;
    const listing = this.table.get(documentKeys.documentList());
    const first = page === 1 ? this.#documents('', per_page) : undefined;
    const slugs = (await listing)?.data.slugs ?? [];
    const start = slugs[offsetOf(request)];
    const entries = (await first) ?? (start === undefined ? [] : await this.#documents(start, per_page));
    return { ...request, entries, total: Math.max(slugs.length, offsetOf(request) + entries.length) };
  }

  async #documents(from: string, limit: number): Promise<DesignDocument[]> {
    const items = await firstItems(this.table, documentKeys.documentsFrom(from), limit);
    return items.map(({ data }) => data);
  }

  async versions({ slug }: Pick<DesignDocument, 'slug'>, request: PageRequest): Promise<PageOf<DocumentVersion>> {
    const { page, per_page } = request;
    const newest = await this.#versions(slug, undefined, page === 1 ? per_page : 1);
    // Numbers begin with 1 and have no gaps.
    const total = newest[0]?.number ?? 0;
    const last = total - offsetOf(request);
    const entries = page === 1 ? newest : last < 1 ? [] : await this.#versions(slug, last, per_page);
    return { ...request, entries, total };
  }

  async #versions(slug: string, upTo: number | undefined, limit: number): Promise<DocumentVersion[]> {
    const partition = upTo === undefined ? documentKeys.versions(slug) : documentKeys.versionsUpTo(slug, upTo);
    const items = await firstItems(this.table, { ...partition, descending: true }, limit);
    return items.map(({ data }) => data);
  }

  async pending(request: PageRequest): Promise<PageOf<DocumentVersion>> {
    const offset = offsetOf(request);
    const limit = offset + request.per_page;
    const [count, items] = await Promise.all([
      this.table.get(documentKeys.pendingCount()),
      // The list is bounded, and can't be read from a given number on.
      firstItems(this.table, documentKeys.pendingList(), limit),
    ]);
    const entries = items.slice(offset, limit).map(({ data }) => data);
    return { ...request, entries, total: Math.max(count?.data.count ?? 0, entries.length && offset + entries.length) };
  }

  async forDraft(slug: string, baseVersion: number): Promise<ReadForDraft> {
    if (baseVersion !== 0) {
      const [document, base] = await this.table.getMany([
        documentKeys.document(slug),
        documentKeys.version(slug, baseVersion),
      ]);
      return { ...readDocument(document), base: base?.data, documents: undefined };
    }
    const [document, list] = await this.table.getMany([documentKeys.document(slug), documentKeys.documentList()]);
    const documents = { slugs: list?.data.slugs ?? [], version: list?.version ?? null };
    return { ...readDocument(document), base: undefined, documents };
  }

  addVersion(permit: Permit, { document, text }: DraftedVersion, read: ReadForDraft): Promise<boolean> {
    const { body, ...version } = text;
    const { slug } = document;
    const writes: TypedWrite[] = [
      { put: itemOf(documentKeys.document(slug), document), condition: ifUnchanged(read.version) },
      { put: itemOf(documentKeys.version(slug, version.number), version), condition: { absent: true } },
      { put: itemOf(documentKeys.body(slug, version.number), packedBody(body)), condition: { absent: true } },
    ];
    writes.push(this.trail.entry(permit, auditEvent(subjectOf(version), 'drafted')));
    if (read.documents && !read.document) {
      const slugs = [...read.documents.slugs, slug].toSorted();
      const condition = ifUnchanged(read.documents.version);
      writes.push({ put: itemOf(documentKeys.documentList(), { slugs }), condition });
    }
    return this.table.transact(writes);
  }

  async forSubmission(slug: string, number: number): Promise<ReadForSubmission> {
    const [version, pending] = await this.table.getMany([
      documentKeys.version(slug, number),
      documentKeys.pendingCount(),
    ]);
    return readSubmission(version, pending);
  }

  submit(permit: Permit, version: DocumentVersion, read: ReadForSubmission): Promise<boolean> {
    return this.table.transact([
      {
        put: itemOf(documentKeys.version(version.slug, version.number), version),
        condition: { version: foundIn(read) },
      },
      { put: itemOf(documentKeys.pending(version), version), condition: { absent: true } },
      this.#counted(read, 1),
      this.trail.entry(permit, auditEvent(subjectOf(version), 'submitted')),
    ]);
  }

  async forReview(slug: string, number: number): Promise<ReadForReview> {
    const [version, pending, document, body] = await this.table.getMany([
      documentKeys.version(slug, number),
      documentKeys.pendingCount(),
      documentKeys.document(slug),
      documentKeys.body(slug, number),
    ]);
    const bases = await this.#bases(version?.data, document?.data.current_version ?? 0);
    const text = body ? bodyOf(body.data) : '';
    return { ...readSubmission(version, pending), read: readDocument(document), body: text, bases };
  }

  /** The bases of the versions between the current one and a version that is not based on it directly. */
  async #bases(version: DocumentVersion | undefined, current: number): Promise<Bases> {
    if (!version || version.base_version <= current) return new Map();
    const between = await this.#versions(version.slug, version.base_version, version.base_version - current);
    return new Map(between.map(({ number, base_version }) => [number, base_version]));
  }

  review(permit: Permit, { version, document }: ReviewedVersion, read: ReadForReview): Promise<boolean> {
    const { slug, number } = version;
    const writes: TypedWrite[] = [
      { put: itemOf(documentKeys.version(slug, number), version), condition: { version: foundIn(read) } },
      { remove: documentKeys.pending(version) },
      this.#counted(read, -1),
      this.trail.entry(permit, auditEvent(subjectOf(version), version.state as Verdict)),
    ];
    if (document.current_version === number) {
      writes.push(
        { put: itemOf(documentKeys.document(slug), document), condition: ifUnchanged(read.read.version) },
        { put: itemOf(documentKeys.current(slug), { ...version, ...packedBody(read.body) }) },
      );
    }
    return this.table.transact(writes);
  }

  #counted({ pending }: ReadForSubmission, by: number): TypedWrite {
    const count = itemOf(documentKeys.pendingCount(), { count: pending.count + by });
    return { put: count, condition: ifUnchanged(pending.version) };
  }
}
