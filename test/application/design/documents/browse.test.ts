import { expect, test } from 'vitest';
import { browseDocuments, browseVersions } from '../../../../application/design/documents/browse.ts';
import type { DesignDocument, DocumentVersion } from '../../../../domain/design/documents/document.ts';
import type { Documents } from '../../../../ports/outbound/design/documents.ts';
import { aDocument, aDocumentText } from '../../../support/gallery-builders.ts';

const PAGE = { page: 1, per_page: 10 };

const over = (documents: readonly DesignDocument[], versions: readonly DocumentVersion[]) => ({
  documents: {
    get: async (slug: string) => ({ document: documents.find((one) => one.slug === slug), version: null }),
    page: async () => ({ ...PAGE, entries: documents, total: documents.length }),
    versions: async () => ({ ...PAGE, entries: versions, total: versions.length }),
  } as unknown as Documents,
});

test('a document without an approved version is in no list for readers', async () => {
  const parts = over([aDocument(), aDocument({ slug: 'new', current_version: 0 })], []);
  const { entries } = await browseDocuments(parts)(PAGE);
  expect(entries.map(({ slug }) => slug)).toEqual(['buttons']);
});

test('a reader sees no draft versions', async () => {
  const versions = [aDocumentText({ number: 2, state: 'draft' }), aDocumentText()];
  const found = await browseVersions(over([aDocument()], versions))('buttons', PAGE);
  expect(found?.versions.entries.map(({ number }) => number)).toEqual([1]);
});

test('a document with only drafts does not exist for readers', async () => {
  const documents = [aDocument({ current_version: 0 })];
  const browse = browseVersions(over(documents, [aDocumentText({ state: 'draft' })]));
  expect(await browse('buttons', PAGE)).toBeNull();
  expect(await browse('../x', PAGE)).toBeNull();
});
