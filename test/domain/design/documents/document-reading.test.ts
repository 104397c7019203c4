import { describe, expect, test } from 'vitest';
import type { DesignDocument, DocumentVersion } from '../../../../domain/design/documents/document.ts';
import { listedVersions, readable, reviewable } from '../../../../domain/design/documents/version-life.ts';

const NOW = '2026-11-21T08:00:00.000Z';

const version: DocumentVersion = {
  slug: 'buttons',
  number: 2,
  base_version: 1,
  state: 'in_review',
  author: { id: 1, name: 'author' },
  sha256: 'a'.repeat(64),
  size: 9,
  created_at: NOW,
  submitted_at: NOW,
  review: null,
};
const document: DesignDocument = {
  slug: 'buttons',
  title: 'buttons',
  latest_version: 2,
  current_version: 1,
  created_at: NOW,
  updated_at: NOW,
};

describe('a document version requested for reading or review', () => {
  const bases = new Map<number, number>();

  test('a requested version is found with its document and text', () => {
    expect(reviewable('buttons', 2, { document, version, body: 'Text', bases })).toEqual({
      ok: true,
      value: { document, version, body: 'Text', bases },
    });
  });

  test('a version is not found if the document or the version does not exist', () => {
    const unknown = { document: undefined, version, body: '', bases };
    expect(reviewable('buttons', 2, unknown)).toMatchObject({ code: 'not_found', message: /no document "buttons"/ });
    const without = { document, version: undefined, body: '', bases };
    expect(reviewable('buttons', 2, without)).toMatchObject({
      code: 'not_found',
      message: /no version 2 of "buttons"/,
    });
  });

  test('a document without an approved version has no current version, and the response says so', () => {
    const read = (number: number | null, found: DesignDocument | undefined = document) =>
      readable({ slug: 'buttons', number }, found, undefined);
    expect(read(null)).toMatchObject({ code: 'not_found', message: /No version of "buttons" is approved yet/ });
    expect(read(7)).toMatchObject({ code: 'not_found', message: /no version 7 of "buttons" to read/ });
    expect(readable({ slug: 'buttons', number: 1 }, undefined, undefined)).toMatchObject({
      code: 'not_found',
      message: /no document "buttons"/,
    });
  });

  test('a list is found in a version if it has entries', () => {
    const page = { entries: [version], page: 1, per_page: 10, total: 1 };
    expect(listedVersions('buttons', page)).toEqual({ ok: true, value: page });
    expect(listedVersions('buttons', { ...page, entries: [], total: 0 })).toMatchObject({ code: 'not_found' });
  });
});
