import type { Host } from '../../ports/inbound/hosts.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';

/** A running service that the suite speaks to over HTTP; what it is made of is only touched to prepare a case. */
export type Mount = {
  readonly urls: Readonly<Record<Host, string>>;
  readonly service: Service;
  readonly close: () => Promise<void>;
};

export type MountSettings = { readonly perAccount?: number; readonly perAddress?: number };

/** Opens a mount on an empty store. */
export type OpenMount = (settings?: MountSettings) => Promise<Mount>;
