import type { OwnEndpoints } from '../../ports/inbound/documentation/area-documentation.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { type HostUrls, openApiDocument } from './document.ts';

export type SoundDocument = {
  readonly document: object;
  /** An error for each endpoint of a team's own that the document leaves out. */
  readonly faults: readonly Error[];
};

/**
 * The OpenAPI document of this package's endpoints and of those of a team's own whose documentation is sound. A mistake
 * in theirs never costs the others their places.
 */
export const soundDocument = (urls: HostUrls, own: OwnEndpoints): SoundDocument => {
  try {
    return { document: openApiDocument(urls, own), faults: [] };
  } catch {
    return withoutFaulty(urls, own);
  }
};

/** The document is made again with each of a team's endpoints, because only the whole shows what doesn't go together. */
const withoutFaulty = (urls: HostUrls, own: OwnEndpoints): SoundDocument => {
  const sound: EndpointSpec[] = [];
  const faults: Error[] = [];
  let document = openApiDocument(urls);
  for (const endpoint of own.endpoints) {
    try {
      document = openApiDocument(urls, { ...own, endpoints: [...sound, endpoint] });
      sound.push(endpoint);
    } catch (cause) {
      faults.push(new Error(`The OpenAPI document leaves out the endpoint ${endpoint.id}.`, { cause }));
    }
  }
  return { document, faults };
};
