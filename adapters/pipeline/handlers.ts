import type { Handlers } from './call.ts';
import { type BillingUseCases, billingHandlers } from './handlers/billing.ts';
import { type CatalogUseCases, catalogHandlers } from './handlers/catalog.ts';
import { type ClientConfigUseCases, clientConfigHandlers } from './handlers/client-config.ts';
import { type DeliveryUseCases, deliveryHandlers } from './handlers/delivery.ts';
import { type DeviceUseCases, deviceHandlers } from './handlers/devices.ts';
import { type DistributionUseCases, distributionHandlers } from './handlers/distribution.ts';
import { type LicensingUseCases, licensingHandlers } from './handlers/licensing.ts';
import { type PublicUseCases, publicHandlers } from './handlers/public.ts';
import { type SupportUseCases, supportHandlers } from './handlers/support.ts';

export type UseCases = CatalogUseCases &
  DeliveryUseCases &
  LicensingUseCases &
  DeviceUseCases &
  BillingUseCases &
  ClientConfigUseCases &
  DistributionUseCases &
  PublicUseCases &
  SupportUseCases;

/** Which use case answers which endpoint, and with what of the call; area by area. */
export class EndpointHandlers {
  readonly byId: Handlers;

  constructor(use: UseCases) {
    this.byId = {
      ...catalogHandlers(use),
      ...deliveryHandlers(use),
      ...licensingHandlers(use),
      ...deviceHandlers(use),
      ...billingHandlers(use),
      ...clientConfigHandlers(use),
      ...distributionHandlers(use),
      ...publicHandlers(use),
      ...supportHandlers(use),
    };
  }
}
