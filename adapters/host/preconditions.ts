import type { HostHeaders } from './request.ts';

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

const names = (header: string, etag: string, weakly: boolean): boolean =>
  header.trim() === '*' ||
  (header.match(ENTITY_TAG) ?? []).some((tag) => tag === etag || (weakly && tag === `W/${etag}`));

/**
 * Evaluates the conditions of a GET or HEAD for something with a strong ETag, in the order of RFC 9110, section 13.2.2.
 * Conditions by date are ignored, as RFC 9110 requires if no date of modification is known.
 */
export const precondition = (headers: HostHeaders, etag: string): 'go on' | 'failed' | 'not modified' => {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !names(ifMatch, etag, false)) return 'failed';
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && names(ifNoneMatch, etag, true) ? 'not modified' : 'go on';
};

/** True if the Range header counts: there is no If-Range, or If-Range is this strong ETag. */
export const rangeCounts = (headers: HostHeaders, etag: string): boolean => {
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag;
};
