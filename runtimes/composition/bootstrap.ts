import 'reflect-metadata';
import { Container } from 'inversify';
import { access } from './access.ts';
import { billing } from './billing.ts';
import type { Overrides } from './binder.ts';
import { catalog } from './catalog.ts';
import { delivery } from './delivery.ts';
import { devices } from './devices.ts';
import type { Engines, Settings } from './engine-settings.ts';
import { inbound } from './inbound.ts';
import { licensing } from './licensing.ts';
import { operations } from './operations.ts';
import { outside } from './outside.ts';
import { policy } from './policy.ts';
import { storage } from './storage.ts';
import { support } from './support.ts';
import { type Parts, TOKENS } from './tokens.ts';

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
    billing(overrides),
    policy(overrides),
    support(overrides),
    operations(overrides),
    inbound(overrides),
  );
  return { get: (name) => container.get(TOKENS[name]) };
};
