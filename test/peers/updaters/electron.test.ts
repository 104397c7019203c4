import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBuyer } from '../../surface/buyers.ts';
import { IN_MEMORY, openExpressMount } from '../../surface/express-mount.ts';
import type { Mount } from '../../surface/mount.ts';
import { DESK, fileOf, OWNED, openUpdateShop } from '../../surface/update-shop.ts';

type File = { readonly url: URL };
type Info = { readonly version: string; readonly files: readonly { readonly url: string }[] };

/** The part of electron-updater that an application uses, and internals for the test doubles. */
type Updater = {
  setFeedURL(options: object): void;
  on(event: 'error', listener: () => void): void;
  checkForUpdates(): Promise<{ readonly isUpdateAvailable: boolean; readonly updateInfo: Info }>;
  downloadUpdate(): Promise<string[]>;
  getUpdateInfoAndProvider(): Promise<{ info: Info; provider: { resolveFiles(info: Info): readonly File[] } }>;
};
type UpdaterClass = new (options: null, app: object) => Updater;

type Download = {
  readonly headers?: object;
  readonly cancellationToken: { createPromise(run: (...settle: ((value: unknown) => void)[]) => void): unknown };
};

const require = createRequire(import.meta.url);
const { NsisUpdater, AppImageUpdater, MacUpdater } = require('electron-updater') as {
  readonly NsisUpdater: UpdaterClass;
  readonly AppImageUpdater: UpdaterClass;
  readonly MacUpdater: { filterFilesForArch(files: readonly File[], isArm64Mac: boolean): readonly File[] };
};
const { HttpExecutor, configureRequestOptions, configureRequestUrl } = createRequire(
  require.resolve('electron-updater'),
)('builder-util-runtime') as {
  readonly HttpExecutor: new () => { doDownload(request: object, download: object, redirects: number): void };
  readonly configureRequestOptions: (options: object) => void;
  readonly configureRequestUrl: (url: URL, options: object) => void;
};

/** Electron's network in Node's form. The updater itself follows redirects and verifies the checksums. */
class NodeExecutor extends HttpExecutor {
  createRequest(options: object, callback: () => void) {
    return request(options, callback);
  }

  download(url: URL, destination: string, options: Download) {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const input = { headers: options.headers };
      configureRequestUrl(url, input);
      configureRequestOptions(input);
      const callback = (error: unknown) => (error == null ? resolve?.(destination) : reject?.(error));
      this.doDownload(input, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }
}

let mount: Mount;
let scratch: string;
let owner: string;

beforeAll(async () => {
  mount = await openExpressMount(IN_MEMORY);
  await openUpdateShop(mount.service);
  owner = (await aBuyer(mount.service, { product_id: OWNED })).key;
  scratch = await mkdtemp(join(tmpdir(), 'electron-updater-'));
});
afterAll(async () => {
  await mount.close();
  await rm(scratch, { recursive: true });
});

/** The real updater of a system, in an application without Electron. */
const updaterOf = (
  Updater: UpdaterClass,
  platform: string,
  product: number,
  version: string,
  headers: Record<string, string> = {},
): Updater => {
  const folder = join(scratch, `${platform}-${product}-${version}`);
  const updater = new Updater(null, {
    version,
    name: 'desk',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  });
  Object.assign(updater, {
    httpExecutor: new NodeExecutor(),
    _testOnlyOptions: { platform },
    _appUpdateConfigPath: null,
    autoDownload: false,
    autoInstallOnAppQuit: false,
    logger: null,
    requestHeaders: headers,
    configOnDisk: { value: Promise.resolve({ provider: 'generic', updaterCacheDirName: 'desk' }) },
  });
  updater.setFeedURL({ provider: 'generic', url: `${mount.urls.app}/distribution/v1/products/${product}/updates` });
  // The updater also reports a failed check as an event.
  updater.on('error', () => {});
  return updater;
};

describe('electron-updater', () => {
  test.each<[string, number, () => Record<string, string>]>([
    ['for everybody', DESK, () => ({})],
    ['for owners, with the key of one', OWNED, () => ({ authorization: `Bearer ${owner}` })],
  ])('the updater for Windows finds the update of a feed %s, downloads it and accepts its checksum', async (_, product, headers) => {
    const updater = updaterOf(NsisUpdater, 'win32', product, '1.0.0', headers());
    const found = await updater.checkForUpdates();
    expect([found.isUpdateAvailable, found.updateInfo.version]).toEqual([true, '1.1.0']);
    const [file = ''] = await updater.downloadUpdate();
    // The tests run on x64 or ARM, and the updater takes the file for its own processor.
    const own = process.arch === 'arm64' ? 'Desk Setup 1.1.0 arm64.exe' : 'Desk Setup 1.1.0.exe';
    expect(await readFile(file, 'utf8')).toBe(fileOf(own));
  });

  test('an application with the newest version is told so', async () => {
    const found = await updaterOf(NsisUpdater, 'win32', DESK, '1.1.0').checkForUpdates();
    expect(found.isUpdateAvailable).toBe(false);
  });

  test('an application for owners without a key gets the refusal as an error', async () => {
    await expect(updaterOf(NsisUpdater, 'win32', OWNED, '1.0.0').checkForUpdates()).rejects.toThrow('401');
  });

  test('a system without a file is a missing channel to the updater', async () => {
    process.env['TEST_UPDATER_ARCH'] = 'x64';
    process.env['APPIMAGE'] = join(scratch, 'desk.AppImage');
    await expect(updaterOf(AppImageUpdater, 'linux', DESK, '1.0.0').checkForUpdates()).rejects.toMatchObject({
      code: 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND',
    });
    process.env['TEST_UPDATER_ARCH'] = 'arm64';
    const found = await updaterOf(AppImageUpdater, 'linux', DESK, '1.0.0').checkForUpdates();
    expect(found.updateInfo.files[0]?.url).toContain('Desk-1.1.0-arm64.AppImage');
  });

  test('the updater for Macs distinguishes the files of the processors', async () => {
    const { info, provider } = await updaterOf(NsisUpdater, 'darwin', DESK, '1.0.0').getUpdateInfoAndProvider();
    const names = (isArm: boolean) =>
      MacUpdater.filterFilesForArch(provider.resolveFiles(info), isArm).map(({ url }) =>
        url.pathname.split('/').at(-1),
      );
    expect([names(true), names(false)]).toEqual([['Desk-1.1.0-arm64-mac.zip'], ['Desk-1.1.0-mac.zip']]);
  });
});
