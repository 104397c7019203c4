import type { Localized } from '../shared/locale.ts';

/** A client software that may sign in devices. */
export type DeviceClient = {
  readonly id: string;
  readonly name: Required<Localized>;
};

/** The clients of device sign-in (specification, Key rules): the command-line client and the cloud apps client. */
export const DEVICE_CLIENTS: readonly DeviceClient[] = [
  { id: 'cli', name: { en: 'Command-line client', ko: '명령줄 클라이언트' } },
  { id: 'cloud-apps', name: { en: 'Cloud apps', ko: '클라우드 앱' } },
];

export const deviceClient = (id: string): DeviceClient | undefined => DEVICE_CLIENTS.find((client) => client.id === id);
