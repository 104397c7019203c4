import type { Express } from 'express';
import type { HostOptions } from '../../adapters/host/host.ts';
import type { AddressOf } from '../../adapters/http/carry.ts';
import { soundDocument } from '../../adapters/openapi/sound-document.ts';
import { referenceCounter, referenceRouter } from '../../adapters/web/reference.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { OwnEndpoints } from '../../ports/inbound/documentation/area-documentation.ts';
import type { Host } from '../../ports/inbound/hosts.ts';

const NONE: OwnEndpoints = { endpoints: [], documentation: { endpoints: {} } };

export type ReferenceServing = Pick<HostOptions, 'log' | 'fault' | 'limit'> & {
  /** The client's network address; without it, the socket's own. No header that a stranger can forge may count. */
  readonly addressOf?: AddressOf;
  readonly urls: Readonly<Record<Host, string>>;
  /** The service's endpoints that are not this package's; none if it is absent. */
  readonly own?: OwnEndpoints;
};

/**
 * The app of the OpenAPI document and of the page to read it with. An endpoint of a team's own whose documentation has
 * a mistake is left out, and the fault is logged.
 */
export const referenceApp = ({ urls, own = NONE, ...options }: ReferenceServing): Express => {
  const { document, faults } = soundDocument(urls, own);
  for (const fault of [...(own.faults ?? []), ...faults]) options.fault(fault, 'reference');
  return webApp([referenceRouter(document, Object.values(urls))], { ...options, counterOf: referenceCounter });
};
