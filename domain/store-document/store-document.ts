import type { ApiKey } from '../access/api-key.ts';
import type { Account } from '../accounts/account.ts';
import type { Invoice } from '../billing/invoice.ts';
import type { Order } from '../billing/order.ts';
import type { PaymentMethod } from '../billing/payment-method.ts';
import type { Disclosure, Storefront } from '../catalog/catalog.ts';
import type { Lineage } from '../catalog/lineage.ts';
import type { Bundle, Category, Product, ProductContent, Tag } from '../catalog/product.ts';
import type { Artifact, Delta, Release, Withdrawal } from '../delivery/release.ts';
import type { TaxonomyTerms } from '../design/gallery/taxonomy.ts';
import type { Device } from '../devices/seat.ts';
import type { Entitlement } from '../licensing/entitlement.ts';
import type { KeyBatch, UnclaimedKey } from '../licensing/key-batch.ts';
import type { Subscription, SubscriptionBilling } from '../licensing/subscription.ts';
import type { PolicyInput } from '../policy/client-policy.ts';
import type { Instant } from '../shared/instant.ts';
import type { Team } from '../teams/team.ts';

/**
 * A store, or a part of one, as its operator writes it. Each entry is complete and replaces the stored entry with its
 * id. Stored entries that are not in the document stay. Paths of files are relative to the document's folder.
 */
export type StoreDocument = {
  /** The time of the export that wrote the document; absent in a document written by hand. */
  readonly exported_at?: Instant | undefined;
  readonly categories: readonly Category[];
  readonly tags: readonly Tag[];
  readonly products: readonly ProductEntry[];
  readonly releases: readonly ReleaseEntry[];
  readonly bundles: readonly Bundle[];
  readonly lineages: readonly Lineage[];
  readonly policy?: PolicyInput | undefined;
  readonly disclosure?: Disclosure | undefined;
  readonly storefront?: Storefront | undefined;
  readonly taxonomy?: TaxonomyTerms | undefined;
  readonly key_batches: readonly KeyBatchEntry[];
  readonly accounts: readonly AccountEntry[];
};

/** The keys of a batch that nobody has used yet, by their hashes. */
export type KeyBatchEntry = Omit<KeyBatch, 'count' | 'revoked_at'> & {
  readonly keys: readonly Omit<UnclaimedKey, 'batch_id'>[];
};

export type ProductEntry = Product & { readonly content: ContentEntry };

export type ContentEntry = Omit<ProductContent, 'product_id' | 'assets'> & {
  /** The folder whose files become the content assets, each under its path within the folder. */
  readonly assets_dir: string | null;
};

export type ReleaseEntry = Omit<Release, 'artifacts' | 'withdrawn'> & {
  readonly artifacts: readonly ArtifactEntry[];
  /** Null offers the release again; undefined keeps the stored release as it is, so no import undoes a withdrawal. */
  readonly withdrawn?: Withdrawal | null | undefined;
};

export const withdrawalAfter = (
  { withdrawn }: ReleaseEntry,
  before: Release | undefined,
): Pick<Release, 'withdrawn'> => {
  const after = withdrawn === undefined ? before?.withdrawn : withdrawn;
  return after ? { withdrawn: after } : {};
};

export type FileEntry = {
  readonly file: string;
  /** The download name of the file; null uses the file's own. */
  readonly filename: string | null;
  /** The expected SHA-256 of the file, lower-case hex; null accepts any. */
  readonly sha256: string | null;
  /**
   * The signature of the file (base64) from an export. It is kept if a key of the store made it; any other file is
   * signed again.
   */
  readonly signature?: string | null | undefined;
};

export type ArtifactEntry = FileEntry &
  Pick<Artifact, 'platform' | 'installation_type' | 'updater_signature'> & {
    /** Patches to add; existing patches of the artifact stay. */
    readonly deltas?: readonly (FileEntry & Pick<Delta, 'from_build'>)[] | undefined;
  };

export type AccountEntry = Omit<Account, 'password_hash'> & {
  /** The password, for an account that has none. */
  readonly password: string | null;
  /** The encoded hash of the password, in place of the password, for an account that has none. */
  readonly password_hash?: string | null | undefined;
  readonly entitlements: readonly Omit<Entitlement, 'account_id'>[];
  readonly subscriptions: readonly SubscriptionEntry[];
  readonly orders: readonly Omit<Order, 'account_id'>[];
  readonly invoices: readonly Omit<Invoice, 'account_id'>[];
  readonly payment_methods: readonly Omit<PaymentMethod, 'account_id'>[];
  readonly license_keys?: readonly LicenseKeyEntry[] | undefined;
  readonly devices?: readonly DeviceEntry[] | undefined;
  readonly teams?: readonly Omit<Team, 'account_id'>[] | undefined;
};

/** A license key, whose value is stored nowhere. */
export type LicenseKeyEntry = Pick<ApiKey, 'hash' | 'prefix' | 'created_at'> & { readonly product_id: number };

/** A device that holds a slot, without the values that reveal copies of it: it gets new ones. */
export type DeviceEntry = Pick<
  Device,
  'device_id' | 'name' | 'activated_at' | 'last_seen_at' | 'offline_until' | 'platform' | 'app_version'
> & { readonly product_id: number };

/** A subscription without the number of its order, which the import finds by the order's id. */
export type SubscriptionEntry = Omit<Subscription, 'account_id' | 'billing'> & {
  readonly billing: Omit<SubscriptionBilling, 'order_number'> | null;
};

/** The last part of a relative path: the file's own name. */
export const fileNameOf = (path: string): string => path.split('/').findLast((part) => part !== '') ?? path;

export const downloadName = ({ filename, file }: Pick<FileEntry, 'file' | 'filename'>): string =>
  filename ?? fileNameOf(file);
