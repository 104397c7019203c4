const author = { id: 5832013414400001, name: 'writer' };
const sha256 = '5b3513f580c8397212ff2c8f459c199efc0c90e4354a5f3533adf0a3fff3a530';

const document = {
  slug: 'buttons',
  title: 'Buttons',
  latest_version: 3,
  current_version: 2,
  created_at: '2026-11-02T09:00:00.000Z',
  updated_at: '2026-11-20T08:12:00.000Z',
};

const draft = {
  slug: 'buttons',
  number: 3,
  base_version: 2,
  state: 'draft',
  author,
  sha256,
  size: 43,
  created_at: '2026-11-20T08:12:00.000Z',
  submitted_at: null,
  review: null,
};

const pending = { ...draft, state: 'in_review', submitted_at: '2026-11-20T08:15:00.000Z' };

const approved = {
  ...pending,
  number: 2,
  base_version: 1,
  state: 'approved',
  created_at: '2026-11-10T10:00:00.000Z',
  submitted_at: '2026-11-10T10:05:00.000Z',
  review: {
    verdict: 'approved',
    reason: 'The sizes fit the grid.',
    reviewer: { id: 5832013414400002, name: 'reviewer' },
    reviewed_at: '2026-11-11T09:00:00.000Z',
  },
};

/** A page that holds the whole of a short list. */
const onePage = (path: string, data: readonly object[]) => {
  const address = `https://design.example.com${path}`;
  const first = `${address}?per_page=24&page=1`;
  return {
    data,
    links: { first, last: first, prev: null, next: null },
    meta: { current_page: 1, from: 1, last_page: 1, path: address, per_page: 24, to: data.length, total: data.length },
  };
};

/** Example answers about design documents. */
export const documentExamples = {
  document: { document, version: { ...approved, body: '# Buttons\n\nA button has one line of text.\n' } },
  documentVersions: onePage('/api/agent/docs/buttons/versions', [draft, approved]),
  documentDraft: { version: draft },
  documentSubmitted: { version: pending },
  manifest: {
    ...onePage('/api/agent/manifest', [document]),
    skill: {
      name: 'design-host',
      version: '1.0.0',
      sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      size: 3114,
      files: [
        {
          path: 'SKILL.md',
          sha256: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
          size: 3114,
          download_url: 'https://design.example.com/skill/SKILL.md',
        },
      ],
    },
  },
  documentReviewed: {
    version: {
      ...pending,
      state: 'approved',
      review: {
        verdict: 'approved',
        reason: 'The new states are complete.',
        reviewer: { id: 5832013414400002, name: 'reviewer' },
        reviewed_at: '2026-11-21T09:00:00.000Z',
      },
    },
    document: { ...document, current_version: 3, updated_at: '2026-11-21T09:00:00.000Z' },
  },
  pendingReviews: onePage('/api/agent/reviews/pending', [pending]),
};
