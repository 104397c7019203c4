import * as z from 'zod';
import { VERDICTS, VERSION_STATES } from '../../../../domain/documents/document.ts';
import { dateTime, id } from './fields.ts';
import { pagedData } from './paging.ts';

const sha256 = z.string().meta({ description: 'lower-case hex' });
const agent = z.object({ id, name: z.string() });
const number = z.int().meta({ description: 'counted from 1, without gaps' });

export const DesignDocumentData = z
  .object({
    slug: z.string(),
    title: z.string().meta({ description: 'the first heading of the current version; the slug where there is none' }),
    latest_version: z.int().meta({ description: 'number of the newest version, whatever its state' }),
    current_version: z.int().meta({ description: 'number of the newest approved version; 0 where none is approved' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'DesignDocumentData' });

export const ReviewData = z
  .object({ verdict: z.enum(VERDICTS), reason: z.string(), reviewer: agent, reviewed_at: dateTime })
  .meta({ id: 'ReviewData' });

export const DocumentVersionData = z
  .object({
    slug: z.string(),
    number,
    base_version: z.int().meta({ description: 'the version that this one changes; 0 for none' }),
    state: z.enum(VERSION_STATES),
    author: agent,
    sha256,
    size: z.int().meta({ description: 'bytes of UTF-8' }),
    created_at: dateTime,
    submitted_at: dateTime.nullable(),
    review: ReviewData.nullable(),
  })
  .meta({ id: 'DocumentVersionData' });

export const DocumentShowData = z
  .object({
    document: DesignDocumentData,
    version: DocumentVersionData.extend({ body: z.string().meta({ description: 'Markdown' }) }).meta({
      id: 'DocumentTextData',
    }),
  })
  .meta({ id: 'DocumentShowData' });

export const DocumentVersionListData = z.object(pagedData(DocumentVersionData)).meta({ id: 'DocumentVersionListData' });

export const DocumentVersionShowData = z
  .object({ version: DocumentVersionData })
  .meta({ id: 'DocumentVersionShowData' });

export const ReviewedVersionData = z
  .object({ version: DocumentVersionData, document: DesignDocumentData })
  .meta({ id: 'ReviewedVersionData' });

export const ManifestData = z
  .object({
    ...pagedData(DesignDocumentData),
    skill: z.object({
      name: z.string(),
      version: z.string(),
      sha256: sha256.meta({
        description:
          'the SHA-256 of the lines that `sha256sum` prints for the files in the order of their paths: hash, two blanks, path, line feed',
      }),
      size: z.int().meta({ description: 'bytes of all files' }),
      files: z.array(z.object({ path: z.string(), sha256, size: z.int(), download_url: z.url() })),
    }),
  })
  .meta({ id: 'ManifestData' });
