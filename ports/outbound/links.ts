import type { Platform } from '../../domain/delivery/channel.ts';

/** Which file of a release a link leads to, and by what right it can be followed without a key. */
export type DownloadLink = {
  readonly platform: Platform | null;
  /** The build that a patch is for. */
  readonly delta: string | null;
  readonly ticket: string | null;
};

/** The public addresses that answers point to. None ever carries a key. */
export interface Links {
  product(productId: number): string;
  productDetail(productId: number): string;
  bundle(productId: number): string;
  contentAsset(productId: number, path: string): string;
  /** The path part alone, for fields that are paths on the API host. */
  contentAssetPath(productId: number, path: string): string;
  /** Where the owner releases a product's devices. */
  manageDevices(productId: number): string;
  /** The feed of an application. */
  appcast(productId: number): string;
  releaseDownload(releaseId: number, link: DownloadLink): string;
  /** The issuer named in signed answers. */
  issuer(): string;
}
