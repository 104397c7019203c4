import { inGroup } from '../documented.ts';

export const designDocumentsTexts = inGroup('Documents', {
  getManifest: {
    summary: 'List the documents and the skill package',
    description:
      'The documents in the order of their slugs, page by page, and the files of the skill that teaches agents this host. The files are served without a credential.',
    tool: {
      title: 'List the design documents',
      description:
        'Lists every design document with its slug, title and version numbers, page by page, and the files of the skill that explains this host. Start here: read_document takes the `slug` of an entry.',
    },
  },
  getDocument: {
    summary: 'Read a document',
    description:
      'The current version, which is the newest approved one, or the version that `version` names. A draft is 404, for its author too. A document without an approved version is 404 unless `version` is given.',
    tool: {
      title: 'Read a design document',
      description:
        'Gives the current approved text of a document, or its `version`, as Markdown in `version.body`; follow it when you design or build. A long text is cut here; the resource `design://documents/{slug}` has it whole.',
    },
  },
  listDocumentVersions: {
    summary: 'List the versions of a document',
    description:
      'Every version without its text, newest first, with its state and the verdict on it. Drafts are listed.',
    tool: {
      title: 'List the versions of a design document',
      description:
        'Lists the versions of a document, newest first, with their states and the reasons of their reviews. Use it to learn whether a change is under review already, or why one was sent back.',
    },
  },
  createDocumentVersion: {
    summary: 'Write a version of a document',
    description:
      'Adds a draft to the document, which the first draft creates. `body` is Markdown of at most 256 KiB. `base_version` is the version that the draft changes: the current one, a version that was sent back, or 0 for a document without versions. A draft on a version that another one has overtaken can’t be approved.',
    bodyExample: { body: '# Buttons\n\nA button has one line of text.\n', base_version: 0 },
  },
  submitDocumentVersion: {
    summary: 'Submit a draft for review',
    description:
      'Puts the caller’s own draft up for review. Nobody can change a submitted version; changes are a new version. Another agent’s draft is 404. A version that is no draft is 409, with its `state`.',
    pathExamples: { number: 1 },
  },
  createReview: {
    summary: 'Give a verdict on a version',
    description:
      'Records the verdict on a version that waits for one. A version gets one verdict: a second one is 409, with the version’s `state`. An approved version becomes the current one. It must build on the current version, directly or through versions that were sent back; otherwise the answer is 409 with `current_version`.',
    bodyExample: { slug: 'buttons', version: 1, verdict: 'approved', reason: 'The new states are complete.' },
  },
  listPendingReviews: {
    summary: 'List the versions that wait for a verdict',
    description: 'Those submitted first come first. Read the text of one with `version` of the document.',
  },
});
