/** The public addresses that answers point to. None ever carries a credential. */
export interface Links {
  product(productId: number): string;
  productDetail(productId: number): string;
  bundle(productId: number): string;
  contentAsset(productId: number, path: string): string;
  /** The path part alone, for fields that are paths on the API host. */
  contentAssetPath(productId: number, path: string): string;
  /** Where the owner releases a product's devices. */
  manageDevices(productId: number): string;
  /** The issuer named in signed answers. */
  issuer(): string;
}
