import { StoreUnavailable } from '../../adapters/store/table.ts';
import { lazy, needing } from '../../adapters/system/loading.ts';
import type { ObjectStore, SignedDownload } from '../../ports/outbound/object-store.ts';
import type { FilesConfig } from '../configuration/feature-config.ts';
import { lazyObjects } from './built-in.ts';

/** The prefix of published files, the only ones that CloudFront may read. */
const PUBLISHED = 'sha256/';

const PACKAGES = ['@aws-sdk/client-secrets-manager', '@aws-sdk/cloudfront-signer'];

type SignDownload = (...args: Parameters<ObjectStore['signDownload']>) => SignedDownload;

/** Loads the signer and its key with the first URL, because most calls sign none. */
const signerOf = (files: FilesConfig): (() => Promise<SignDownload>) =>
  lazy(async () => {
    const [{ readSecret }, { CloudFrontUrls }] = await needing('CloudFront', PACKAGES, () =>
      Promise.all([
        import('../../adapters/secrets/secrets-manager.ts'),
        import('../../adapters/s3/cloudfront-urls.ts'),
      ]),
    );
    const privateKey = await readSecret(files.keySecretArn).catch((cause: Error) => {
      throw new StoreUnavailable(cause.message, { cause });
    });
    const urls = new CloudFrontUrls(files.url, { id: files.key_id, privateKey });
    return (key, as) => urls.sign(key, as);
  });

/**
 * Adds CloudFront to a store, for published files only: their URLs are signed for it. The store itself signs the URLs
 * of other files. A key that can't be read throws StoreUnavailable.
 */
export const filesByCloudFront = (store: ObjectStore, files: FilesConfig): ObjectStore => {
  const signer = signerOf(files);
  return {
    ...lazyObjects(async () => store),
    signDownload: async (key, as) =>
      key.startsWith(PUBLISHED) ? (await signer())(key, as) : store.signDownload(key, as),
  };
};
