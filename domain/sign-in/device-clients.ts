import type { Product } from '../catalog/product.ts';
import type { Localized } from '../shared/locale.ts';

/** A client software that may sign in devices. */
export type DeviceClient = {
  readonly id: string;
  readonly name: Localized;
};

/** The clients of device sign-in (specification, Key rules): the command-line client and the cloud apps client. */
export const DEVICE_CLIENTS: readonly DeviceClient[] = [
  { id: 'cli', name: { en: 'Command-line client', ko: '명령줄 클라이언트' } },
  { id: 'cloud-apps', name: { en: 'Cloud apps', ko: '클라우드 앱' } },
];

/**
 * The client with this id: one of those above, or a published application of the catalog under its bundle id. The
 * bundle id of a hidden one is answered as an unknown client, so that nobody learns of it.
 */
export const deviceClient = (id: string, apps: ReadonlyMap<string, Product>): DeviceClient | undefined => {
  const app = apps.get(id);
  return DEVICE_CLIENTS.find((client) => client.id === id) ?? (app?.published ? { id, name: app.name } : undefined);
};
