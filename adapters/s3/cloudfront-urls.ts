import { createPrivateKey } from 'node:crypto';
import { getSignedUrl } from '@aws-sdk/cloudfront-signer';
import { create as contentDisposition } from 'content-disposition';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import { checkObjectKey, type DownloadTerms, type SignedDownload } from '../../ports/outbound/object-store.ts';
import { OBJECTS } from './prefixes.ts';

export type CloudFrontKey = {
  /** CloudFront's id of the public key. */
  readonly id: string;
  /** The private key, an RSA key of 2048 bits as PEM. */
  readonly privateKey: string;
};

/** Encodes every reserved character (RFC 3986, section 2.3), so that nothing rewrites the URL. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** True for a PEM private key that CloudFront accepts. */
const isRsa2048 = (pem: string): boolean => {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === 'rsa' && asymmetricKeyDetails?.modulusLength === 2048;
  } catch {
    return false;
  }
};

/**
 * Signs CloudFront URLs of the objects of an S3Objects bucket. `base` is the address of the distribution. The policy is
 * a canned one: it names exactly one URL, with its query, and its expiry. An RSASSA-PKCS1-v1_5 signature is
 * deterministic, so that equal inputs give equal URLs; an elliptic-curve signature would not be.
 */
export class CloudFrontUrls {
  readonly #base: string;
  readonly #key: CloudFrontKey;

  /** Throws if the key is not one that CloudFront accepts. The error does not contain the key. */
  constructor(base: string, key: CloudFrontKey) {
    if (!isRsa2048(key.privateKey)) {
      throw new Error('CloudFront’s URLs are signed with an RSA key of 2048 bits; the secret holds none as PEM.');
    }
    this.#base = base;
    this.#key = key;
  }

  sign(key: string, { filename, contentType, expiresAt }: Omit<DownloadTerms, 'signedAt'>): SignedDownload {
    checkObjectKey(key);
    const query = {
      'response-content-disposition': contentDisposition(filename),
      'response-content-type': contentType,
    };
    const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
    const end = Math.floor(millis(expiresAt) / 1000);
    const url = getSignedUrl({
      url: `${this.#base}/${OBJECTS}${key}?${pairs.join('&')}`,
      keyPairId: this.#key.id,
      privateKey: this.#key.privateKey,
      dateLessThan: end * 1000,
      algorithm: 'SHA256',
    });
    return { url, expires_at: toInstant(end * 1000) };
  }
}
