import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';

/** The folders of the bucket: published files by their sums, files of reports, and files of the design host. */
export type Folder = 'sha256' | 'reports' | 'design';

export type FileAccess = {
  readonly actions: readonly string[];
  /** True where the function looks for files that may be missing, and not only signs addresses. */
  readonly looks?: boolean;
};

const SIGNS: FileAccess = { actions: ['s3:GetObject'] };

/**
 * The actions of each function on the files of a folder. A signed address has the rights of its signer. No function may
 * remove a published file, and only the shop host may add one.
 */
export const FILE_ACCESS: Readonly<Record<FunctionName, Readonly<Partial<Record<Folder, FileAccess>>>>> = {
  account: { sha256: SIGNS },
  // It stores the files of reports, and removes one whose account was erased meanwhile.
  api: { sha256: SIGNS, reports: { actions: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], looks: true } },
  app: { sha256: SIGNS },
  // It stores uploads, and signs uploads that it could not take itself.
  design: { design: { actions: ['s3:GetObject', 's3:PutObject'], looks: true } },
  downloads: { sha256: { actions: ['s3:GetObject'], looks: true } },
  mail: {},
  mcp: { sha256: SIGNS },
  media: { design: { actions: ['s3:GetObject'], looks: true } },
  reference: {},
  // It stores pages and thumbnails, and drops the parts of a page whose upload failed.
  replay: { design: { actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'], looks: true } },
  // It signs the uploads of releases' files, and reads them. An account's erasure takes the files of its reports.
  shop: {
    sha256: { actions: ['s3:GetObject', 's3:PutObject'], looks: true },
    reports: { actions: ['s3:DeleteObject'] },
  },
};

/** The functions that sign addresses of published files, and read none. */
export const SIGNING: readonly FunctionName[] = FUNCTIONS.filter((name) => FILE_ACCESS[name].sha256 === SIGNS);

/** The functions that answer a health check, which asks whether the bucket answers. */
export const HEALTH: readonly FunctionName[] = ['account', 'api', 'app', 'design', 'shop'];
