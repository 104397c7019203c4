import type { logoPath } from '../../domain/catalog/logo.ts';
import type { Platform } from '../../domain/catalog/platform.ts';

/** The file of a release that a link downloads, and the ticket that allows the download without a key. */
export type DownloadLink = {
  readonly platform: Platform | null;
  /** The build that the patch is applied to; null for the whole file. */
  readonly delta: string | null;
  readonly ticket: string | null;
};

/** The file of an install plan. If the platform is null, the URL omits it. */
export type InstallLink = {
  readonly platform: Platform | null;
  readonly release: number;
};

/** The public URLs in answers. No URL contains a key. */
export interface Links {
  product(product_id: number): string;
  productDetail(product_id: number): string;
  bundle(product_id: number): string;
  installPlan(product_id: number, link: InstallLink): string;
  contentAsset(product_id: number, path: string): string;
  /** The path of `contentAsset` without the host, for fields that are paths on the API host. */
  contentAssetPath(product_id: number, path: string): string;
  /** The page on which the owner releases a product's devices. */
  manageDevices(product_id: number): string;
  /** A page of the account that signs in. */
  ownPage(
    page:
      | 'library'
      | 'transfers'
      | ReturnType<typeof logoPath>
      | 'keys'
      | 'devices'
      | 'security'
      | `support/${number}`
      | 'profile'
      | `library/${number}`
      | `orders/${number}`
      | `teams/${number}/${number}`,
  ): string;
  /** The page of a one-time link, which continues to the path `next` on this host. */
  signInLink(code: string, next?: string): string;
  /** The page of a one-time link to the console, which continues to the path `next` there. */
  consoleLink(code: string, next?: string): string;
  /** The page that makes the first member of a shop. */
  setupLink(code: string): string;
  /** The page of a one-time link that confirms a new email address. */
  emailLink(code: string): string;
  /** The page of a link that undoes a change of the email address. */
  undoLink(code: string): string;
  /** The URL to which the upstream provider returns browsers. */
  signInCallback(): string;
  /** The feed of an application. */
  appcast(product_id: number): string;
  releaseDownload(release_id: number, link: DownloadLink): string;
  /** A page of the console; the path has no slash at its beginning, and is empty for the first page. */
  console(path: string): string;
  /** A URL on the design host; the path begins with a slash. */
  design(path: string): string;
  /** The issuer in signed answers. */
  readonly issuer: string;
}
