import type { PartsWith } from '../parts.ts';
import { billing } from './billing.ts';
import { catalog } from './catalog.ts';
import { delivery } from './delivery.ts';
import { devices } from './devices.ts';
import { keys } from './keys.ts';
import { licensing } from './licensing.ts';
import { operations } from './operations.ts';
import { policy } from './policy.ts';
import { support } from './support.ts';

/** The areas by name, for a service that is to have some of them. A function imports its own, so that it holds no other. */
export const AREAS = { catalog, delivery, licensing, devices, billing, policy, support, keys, operations } as const;

/** Every area there is. */
export const EVERY_AREA = [catalog, delivery, licensing, devices, billing, policy, support, keys, operations] as const;

export type Everything = PartsWith<typeof EVERY_AREA>;
