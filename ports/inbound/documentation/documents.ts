import * as z from 'zod';
import { VERDICTS, VERSION_STATES } from '../../../domain/design/documents/document.ts';
import { component, dateTime, id, inGroup, pagedData } from './fields.ts';

const sha256 = z.string().describe('lower-case hex');
const agent = z.object({ id, name: z.string() });
const number = z.int().describe('counted from 1, without gaps');

const DesignDocumentData = component('DesignDocumentData', {
  slug: z.string(),
  title: z.string().describe('the first heading of the current version; the slug where there is none'),
  latest_version: z.int().describe('number of the newest version, whatever its state'),
  current_version: z.int().describe('number of the newest approved version; 0 where none is approved'),
  created_at: dateTime,
  updated_at: dateTime,
});

const ReviewData = component('ReviewData', {
  verdict: z.enum(VERDICTS),
  reason: z.string(),
  reviewer: agent,
  reviewed_at: dateTime,
});

const DocumentVersionData = component('DocumentVersionData', {
  slug: z.string(),
  number,
  base_version: z.int().describe('the version that this one changes; 0 for none'),
  state: z.enum(VERSION_STATES),
  author: agent,
  sha256,
  size: z.int().describe('bytes of UTF-8'),
  created_at: dateTime,
  submitted_at: dateTime.nullable(),
  review: ReviewData.nullable(),
});

const DocumentVersionListData = component('DocumentVersionListData', pagedData(DocumentVersionData));
const DocumentVersionShowData = component('DocumentVersionShowData', { version: DocumentVersionData });

export const documentsDocumentation = inGroup('Documents', {
  getManifest: {
    summary: 'List the documents and the skill package',
    description:
      'The documents in the order of their slugs, page by page, and the files of the skill that teaches agents this host. The files are served without a credential.',
    tool: {
      title: 'List the design documents',
      description:
        'Lists every design document with its slug, title and version numbers, page by page, and the files of the skill that explains this host. Start here: read_document takes the `slug` of an entry.',
    },
    answer: component('ManifestData', {
      ...pagedData(DesignDocumentData),
      skill: z.object({
        name: z.string(),
        version: z.string(),
        sha256: sha256.describe(
          'the SHA-256 of the lines that `sha256sum` prints for the files in the order of their paths: hash, two blanks, path, line feed',
        ),
        size: z.int().describe('bytes of all files'),
        files: z.array(z.object({ path: z.string(), sha256, size: z.int(), download_url: z.url() })),
      }),
    }),
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
    answer: component('DocumentShowData', {
      document: DesignDocumentData,
      version: DocumentVersionData.extend({ body: z.string().describe('Markdown') }).meta({ id: 'DocumentTextData' }),
    }),
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
    answer: DocumentVersionListData,
  },
  createDocumentVersion: {
    summary: 'Write a version of a document',
    description:
      'Adds a draft to the document, which the first draft creates. `body` is Markdown of at most 256 KiB. `base_version` is the version that the draft changes: the current one, a version that was sent back, or 0 for a document without versions. A draft on a version that another one has overtaken can’t be approved.',
    bodyExample: { body: '# Buttons\n\nA button has one line of text.\n', base_version: 0 },
    answer: DocumentVersionShowData,
  },
  submitDocumentVersion: {
    summary: 'Submit a draft for review',
    description:
      'Puts the caller’s own draft up for review. Nobody can change a submitted version; changes are a new version. Another agent’s draft is 404. A version that is no draft is 409, with its `state`.',
    pathExamples: { number: 1 },
    answer: DocumentVersionShowData,
  },
  createReview: {
    summary: 'Give a verdict on a version',
    description:
      'Records the verdict on a version that waits for one. A version gets one verdict: a second one is 409, with the version’s `state`. An approved version becomes the current one. It must build on the current version, directly or through versions that were sent back; otherwise the answer is 409 with `current_version`.',
    bodyExample: { slug: 'buttons', version: 1, verdict: 'approved', reason: 'The new states are complete.' },
    answer: component('ReviewedVersionData', { version: DocumentVersionData, document: DesignDocumentData }),
  },
  listPendingReviews: {
    summary: 'List the versions that wait for a verdict',
    description: 'Those submitted first come first. Read the text of one with `version` of the document.',
    answer: DocumentVersionListData,
  },
});

/** The answer to a change that the state of a version does not allow. */
export const documentRefusals = {
  document_state_conflict: {
    schema: component('DocumentConflictData', {
      message: z.string(),
      state: z.enum(VERSION_STATES).optional().describe('the state of the version'),
      current_version: z.int().optional().describe('the version that is current, where the base is not'),
    }),
  },
};
