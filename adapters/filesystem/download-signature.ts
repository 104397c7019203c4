import type { SignedDownload } from '../../ports/outbound/object-store.ts';
import { only, partsOf, UrlSignature } from './url-signature.ts';

/** A file name that every client treats as a single path segment. Lone surrogates cannot be percent-encoded. */
const FILENAME = /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}]{1,255}$/u;

export type Download = { readonly key: string; readonly filename: string; readonly contentType: string };

export type DownloadAnswer =
  | { readonly state: 'valid'; readonly download: Download }
  | { readonly state: 'expired' | 'invalid' };

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};

const signedParts = ({ key, filename, contentType }: Download) => ['download', key, filename, contentType];

/**
 * Signs and verifies download URLs. Until it expires, a URL gives its holder one object under one name and type:
 * `{base}/downloads/{key}/{filename}?expires={unix seconds}&type={content type}&signature={HMAC-SHA256, base64url}`.
 */
export class DownloadSignature extends UrlSignature {
  readonly path = '/downloads';

  /** Signs a download of a valid key. Throws for a file name that cannot be a path segment. */
  sign(download: Download, expiresAt: string): SignedDownload {
    const { key, filename, contentType } = download;
    if (!FILENAME.test(filename))
      throw new Error('A download needs a file name without slashes and control characters.');
    const path = `${this.path}/${key}/${encodeURIComponent(filename)}`;
    return this.signed(path, { type: contentType }, signedParts(download), expiresAt);
  }

  /** Reads the part of a URL after `path`: `/{key}/{filename}?…`. */
  read(url: string): DownloadAnswer {
    const [path, query] = partsOf(url);
    const [root, ...parts] = path.split('/');
    const filename = decoded(parts.pop() ?? '');
    const contentType = only(query, 'type');
    if (root !== '' || filename === undefined || contentType === undefined) return { state: 'invalid' };
    const download = { key: parts.join('/'), filename, contentType };
    const state = this.stateOf(query, signedParts(download));
    return state === 'valid' ? { state, download } : { state };
  }
}
