import { hash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { jsonReply, NO_STORE, type Reply } from './reply.ts';
import type { HostHeaders } from './request.ts';

/** The header by which CloudFront shows a secret that only it and this service know. */
export const SECRET_HEADER = 'x-origin-secret';

/** The header in which CloudFront names the client, whatever a header of that name the client sent. */
export const VIEWER_HEADER = 'cloudfront-viewer-address';

/** Characters of a secret that nobody guesses. A stack makes 48. */
const LEAST_CHARACTERS = 32;

const PORT = /^(.*):(\d{1,5})$/s;

const MOST_PORT = 65_535;

/**
 * The network address in a value of `CloudFront-Viewer-Address`, which is an address, a colon and a port. CloudFront
 * writes an IPv6 address without brackets; with them it is read too. Undefined for any other text.
 */
export const viewerAddress = (value: string): string | undefined => {
  const [, host = '', port = ''] = PORT.exec(value) ?? [];
  const address = /^\[.*\]$/s.test(host) ? host.slice(1, -1) : host;
  const isAddress = isIP(address) > 0 && !address.includes('%') && (address === host || isIP(address) === 6);
  return isAddress && Number(port) <= MOST_PORT ? address : undefined;
};

/** A visitor of the service, as the front sees it. */
export type Visitor =
  /** It came through CloudFront, which names its address; undefined where the value can't be read. */
  | { readonly came: 'through'; readonly address: string | undefined }
  /** It came directly, which is allowed. */
  | { readonly came: 'directly' }
  | { readonly came: 'around' };

export type Front = (headers: HostHeaders) => Visitor;

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Tells by the secret in its headers which way a request came. `secrets` are all that count: two while one takes the
 * place of the other. Where `isOnlyWay`, a request without one of them came around. Throws for a secret that is too
 * short, and names none.
 */
export const frontOf = (secrets: readonly string[], isOnlyWay: boolean): Front => {
  if (secrets.length === 0 || secrets.some((secret) => secret.length < LEAST_CHARACTERS)) {
    throw new Error(`An origin secret has ${LEAST_CHARACTERS} characters or more; let the stack make it.`);
  }
  const digests = secrets.map(digestOf);
  const isKnown = (given: string): boolean => {
    const digest = digestOf(given);
    // Each comparison takes place, so that the time tells nothing.
    return digests.map((one) => timingSafeEqual(one, digest)).includes(true);
  };
  return (headers) => {
    const given = headers[SECRET_HEADER];
    if (given !== undefined && isKnown(given)) {
      return { came: 'through', address: viewerAddress(headers[VIEWER_HEADER] ?? '') };
    }
    return { came: isOnlyWay ? 'around' : 'directly' };
  };
};

const AROUND = 'This address takes no requests of its own; send them to the public name of this host.';

/** The reply to a request that came around the front. */
export const aroundReply = (): Reply => jsonReply(403, { message: AROUND }, { 'cache-control': NO_STORE });
