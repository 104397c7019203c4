/** The texts of the design host's tools by the ids of their endpoints. */
export const DESIGN_TOOLS = {
  getManifest: {
    title: 'List the design documents',
    description:
      'Lists every design document with its slug, title and version numbers, page by page, and the files of the skill that explains this host. Start here: read_document takes the `slug` of an entry.',
  },
  getDocument: {
    title: 'Read a design document',
    description:
      'Gives the current approved text of a document as Markdown in `version.body`. Follow it when you design or build. With `version` it gives another version, for instance one under review; drafts are hidden. `version.number` is the `base_version` for a change.',
  },
  listDocumentVersions: {
    title: 'List the versions of a design document',
    description:
      'Lists the versions of a document, newest first, with their states and the reasons of their reviews. Use it to learn whether a change is under review already, or why one was sent back.',
  },
} as const;
