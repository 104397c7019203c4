import 'reflect-metadata';
import { Container } from 'inversify';
import type { CacheAge } from '../../adapters/store/cache-age.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { RateLimitSettings } from '../../application/access/limit-rate.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { access } from './access.ts';
import type { Overrides } from './binder.ts';
import { catalog } from './catalog.ts';
import { delivery } from './delivery.ts';
import { devices } from './devices.ts';
import { inbound } from './inbound.ts';
import { licensing } from './licensing.ts';
import { outside } from './outside.ts';
import { storage } from './storage.ts';
import { type Parts, TOKENS } from './tokens.ts';

/** What was opened before, and is closed by whoever opened it. */
export type Engines = {
  readonly table: Table;
  readonly objects: ObjectStore;
  readonly licenseSigner: LicenseSigner;
};

export type Settings = RateLimitSettings & {
  /** Public addresses of the hosts, without a slash at the end. */
  readonly urls: Readonly<Record<Host, string>>;
  readonly catalogAge: CacheAge;
};

/** The wired service: any part of it by name. */
export type Service = { readonly get: <Name extends keyof Parts>(name: Name) => Parts[Name] };

/**
 * Wires everything, once. Whatever is given in `overrides` takes the place of the part of that name: a fake clock in a
 * test, a team's own licenses.
 */
export const bootstrap = (settings: Settings, engines: Engines, overrides: Overrides = {}): Service => {
  const container = new Container();
  container.load(
    outside(overrides, engines, settings),
    storage(overrides, settings.catalogAge),
    access(overrides),
    catalog(overrides),
    delivery(overrides),
    licensing(overrides),
    devices(overrides),
    inbound(overrides),
  );
  return { get: (name) => container.get(TOKENS[name]) };
};
