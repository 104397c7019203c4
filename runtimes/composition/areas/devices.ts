import { devicesHandlers } from '../../../adapters/pipeline/handlers/devices.ts';

/** Bundles, sign-out, activation, entitlements, installs and usage of devices. */
export const devices = devicesHandlers;
