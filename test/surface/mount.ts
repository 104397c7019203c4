import type { PublicJwk } from '../../domain/shared/public-jwk.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';

/** A running service that the suite speaks to over HTTP; what it is made of is only touched to prepare a case. */
export type Mount = {
  readonly urls: Readonly<Record<Host, string>>;
  /** Of the host that forwards to the API's. */
  readonly legacyUrl: string;
  readonly service: Service;
  /** What the tokens of license checks verify with. */
  readonly licenseKey: PublicJwk;
  /** What broke inside so far; a suite that brings about no fault finds none. */
  readonly faults: readonly unknown[];
  readonly close: () => Promise<void>;
};

/** Requests per minute; more than any suite makes where left out. */
export type MountSettings = { readonly perAccount?: number; readonly perAddress?: number };

/** Opens a mount on an empty store. */
export type OpenMount = (settings?: MountSettings) => Promise<Mount>;
