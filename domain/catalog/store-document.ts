import type { Account } from '../accounts/account.ts';
import type { Invoice } from '../billing/invoice.ts';
import type { Order } from '../billing/order.ts';
import type { PaymentMethod } from '../billing/payment-method.ts';
import type { Artifact, Delta, Release } from '../delivery/release.ts';
import type { Entitlement } from '../licensing/entitlement.ts';
import type { Subscription, SubscriptionBilling } from '../licensing/subscription.ts';
import type { ClientPolicy } from '../policy/client-policy.ts';
import type { Disclosure } from './disclosure.ts';
import type { Lineage } from './lineage.ts';
import type { Bundle, Category, Product, ProductContent, Tag } from './product.ts';

/**
 * A store, or a part of one, as its operator writes it down. Each entry is whole and takes the place of what the store
 * has under its id; what isn't in the document stays. Files are named relative to the document's own folder.
 */
export type StoreDocument = {
  readonly categories: readonly Category[];
  readonly tags: readonly Tag[];
  readonly products: readonly ProductEntry[];
  readonly releases: readonly ReleaseEntry[];
  readonly bundles: readonly Bundle[];
  readonly lineages: readonly Lineage[];
  readonly policy?: ClientPolicy | undefined;
  readonly disclosure?: Disclosure | undefined;
  readonly accounts: readonly AccountEntry[];
};

export type ProductEntry = Product & { readonly content: ContentEntry };

export type ContentEntry = Omit<ProductContent, 'product_id' | 'assets'> & {
  /** The folder whose files become the content assets, each under its path within it. */
  readonly assets_dir: string | null;
};

export type ReleaseEntry = Omit<Release, 'artifacts'> & { readonly artifacts: readonly ArtifactEntry[] };

/** A file of the document's folder. */
export type FileEntry = {
  readonly file: string;
  /** The name it is downloaded under; null takes the file's own. */
  readonly filename: string | null;
  /** What the file's sum has to be; null takes any. */
  readonly sha256: string | null;
};

export type ArtifactEntry = FileEntry &
  Pick<Artifact, 'platform'> & {
    /** Beside those that the artifact has already. */
    readonly deltas?: readonly (FileEntry & Pick<Delta, 'from_build'>)[] | undefined;
  };

export type AccountEntry = Omit<Account, 'password_hash'> & {
  /** Null leaves the account the password that it has. */
  readonly password: string | null;
  readonly entitlements: readonly Omit<Entitlement, 'account_id'>[];
  readonly subscriptions: readonly SubscriptionEntry[];
  readonly orders: readonly Omit<Order, 'account_id'>[];
  readonly invoices: readonly Omit<Invoice, 'account_id'>[];
  readonly payment_methods: readonly Omit<PaymentMethod, 'account_id'>[];
};

/** The number of its order is found by the order's id. */
export type SubscriptionEntry = Omit<Subscription, 'account_id' | 'billing'> & {
  readonly billing: Omit<SubscriptionBilling, 'order_number'> | null;
};

/** The last part of a relative path, which is the file's own name. */
export const fileNameOf = (path: string): string => path.split('/').findLast((part) => part !== '') ?? path;
