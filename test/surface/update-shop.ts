import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Platform } from '../../domain/catalog/platform.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { aProduct } from '../support/builders.ts';
import { memoryFiles } from '../support/memory-files.ts';

/** An application for every system, with public update feeds. */
export const DESK = 11;
/** An application whose update feeds are for its owners. */
export const OWNED = 12;
/** A tool without update feeds. */
export const PLAIN = 13;

/** The content of a `.sig` file of Tauri's signer. */
export const SIGNATURE = Buffer.from('untrusted comment: signature from tauri secret key\nRUQ\n').toString('base64');

export const fileOf = (name: string): string => `the bytes of ${name}\n`.repeat(20);

type Draft = { product: number; version: string; platform: Platform; file: string; channel?: Channel; signed?: true };

const drafts: readonly Draft[] = [
  ...[DESK, OWNED, PLAIN].flatMap((product): Draft[] => [
    { product, version: '1.0.0', platform: 'windows-amd64', file: 'Desk Setup 1.0.0.exe' },
    { product, version: '1.1.0', platform: 'windows-amd64', file: 'Desk Setup 1.1.0.exe', signed: true },
    { product, version: '1.1.0', platform: 'windows-arm64', file: 'Desk Setup 1.1.0 arm64.exe' },
    { product, version: '1.1.0', platform: 'darwin-amd64', file: 'Desk-1.1.0-mac.zip' },
    { product, version: '1.1.0', platform: 'darwin-arm64', file: 'Desk-1.1.0-arm64-mac.zip' },
    { product, version: '1.1.0', platform: 'linux-amd64', file: 'Desk-1.1.0-full.nupkg' },
    { product, version: '1.1.0', platform: 'linux-arm64', file: 'Desk-1.1.0-arm64.AppImage' },
  ]),
  { product: DESK, version: '1.2.0-beta.1', platform: 'windows-amd64', file: 'Desk Setup 1.2.0.exe', channel: 'beta' },
];

/** Saves the products, and publishes their releases as the command does. */
export const openUpdateShop = async (service: Service): Promise<void> => {
  for (const value of [
    aProduct({ id: DESK, slug: 'desk', update_feeds: true }),
    aProduct({ id: OWNED, slug: 'owned', update_feeds: true, feed: 'entitled' }),
    aProduct({ id: PLAIN, slug: 'plain', feed: 'public' }),
  ])
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
  for (const { product, file, signed, channel = null, ...draft } of drafts) {
    const published = await service.get('publishRelease')(grantPermit(), {
      ...draft,
      product: String(product),
      file,
      filename: file,
      channel,
      build: null,
      notes_en: null,
      notes_ko: null,
      released_at: '2026-01-10T00:00:00.000Z',
      sparkle: {},
      deltas: [],
      signature: null,
      sign_with: null,
      installation_type: null,
      updater_signature: signed ? SIGNATURE : null,
      files: memoryFiles({ [file]: fileOf(file) }),
    });
    if (!published.ok) throw new Error(published.code);
  }
};
