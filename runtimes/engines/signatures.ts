import { randomBytes } from 'node:crypto';
import { loadOrCreateSecret } from '../../adapters/crypto/secret-file.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import { dataFiles } from '../configuration/data-dir.ts';
import type { Signatures, SignedUrls } from './kinds.ts';

const signaturesBy = (secret: Uint8Array, urls: SignedUrls): Signatures => ({
  downloads: new DownloadSignature({ secret, baseUrl: urls.api }),
  uploads: new UploadSignature({ secret, baseUrl: urls.design }),
});

/** Signatures by the secret in a data folder, which is created on first use. */
export const keptSignatures = (dataDir: string, urls: SignedUrls): Signatures =>
  signaturesBy(loadOrCreateSecret(dataFiles(dataDir).downloadSecret), urls);

/** Signatures that end with the process. */
export const passingSignatures = (urls: SignedUrls): Signatures => signaturesBy(randomBytes(32), urls);
