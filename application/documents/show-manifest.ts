import type { DesignDocument } from '../../domain/documents/document.ts';
import { inPathOrder, packageLines } from '../../domain/documents/skill.ts';
import { type PageRequest, pagedList } from '../../domain/shared/paging.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'digest' | 'documents' | 'links' | 'skillPackage'>;

/** The design documents page by page, and the files of the skill package with their addresses and hashes. */
export const showManifest =
  ({ documents, skillPackage, digest, links }: Ports) =>
  async ({ page, per_page }: PageRequest) => {
    const [listed, { name, version, files }] = await Promise.all([
      documents.page({ page, per_page }),
      skillPackage.read(),
    ]);
    const address = { path: links.design('/api/agent/manifest'), query: { per_page: String(per_page) } };
    return {
      ...pagedList<DesignDocument>(listed, address),
      skill: {
        name,
        version,
        sha256: digest.sha256(packageLines(files)),
        size: files.reduce((sum, { size }) => sum + size, 0),
        files: inPathOrder(files).map(({ path, sha256, size }) => ({
          path,
          sha256,
          size,
          download_url: links.design(`/skill/${path}`),
        })),
      },
    };
  };

export type ShowManifest = ReturnType<typeof showManifest>;
