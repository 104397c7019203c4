import type { IncomingHttpHeaders } from 'node:http';

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

const names = (header: string, etag: string, weakly: boolean): boolean =>
  header.trim() === '*' ||
  (header.match(ENTITY_TAG) ?? []).some((tag) => tag === etag || (weakly && tag === `W/${etag}`));

/**
 * What the conditions of a GET or HEAD make of something with a strong ETag, in the order of RFC 9110, section 13.2.2.
 * Conditions by date are ignored, as they must be where no date of change is known.
 */
export const precondition = (headers: IncomingHttpHeaders, etag: string): 'go on' | 'failed' | 'not modified' => {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !names(ifMatch, etag, false)) return 'failed';
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && names(ifNoneMatch, etag, true) ? 'not modified' : 'go on';
};

/** Whether a Range header counts: it does without If-Range, and where If-Range is this very strong ETag. */
export const rangeCounts = (headers: IncomingHttpHeaders, etag: string): boolean => {
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag;
};
