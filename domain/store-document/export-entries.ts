import type { ApiKey } from '../access/api-key.ts';
import type { Account } from '../accounts/account.ts';
import type { Invoice } from '../billing/invoice.ts';
import type { Order } from '../billing/order.ts';
import type { PaymentMethod } from '../billing/payment-method.ts';
import type { Product, ProductContent } from '../catalog/product.ts';
import type { Artifact, Delta, Release } from '../delivery/release.ts';
import type { Device } from '../devices/seat.ts';
import type { Holdings } from '../licensing/entitlement.ts';
import type { Subscription } from '../licensing/subscription.ts';
import type { Team } from '../teams/team.ts';
import type {
  AccountEntry,
  ArtifactEntry,
  FileEntry,
  LicenseKeyEntry,
  ProductEntry,
  ReleaseEntry,
  SubscriptionEntry,
} from './store-document.ts';

/** The path of a release's file in an export: its SHA-256, so that any download name has a valid path. */
export const exportedFile = (sha256: string): string => `files/${sha256}`;

export const exportedAssets = (product_id: number): string => `assets/${product_id}`;

/** The product as a document contains it. The pictures are omitted, because an import finds them in the HTML. */
export const productEntry = (
  { pictures: _, ...product }: Product,
  content: ProductContent | undefined,
): ProductEntry => {
  const { product_id: _id, assets = [], ...texts } = content ?? NO_CONTENT;
  return { ...product, content: { ...texts, assets_dir: assets.length > 0 ? exportedAssets(product.id) : null } };
};

/** The content of a product without any, except for its product's id. */
export const NO_CONTENT: ProductContent = {
  product_id: 0,
  detail_html: null,
  gallery: [],
  videos: [],
  usage_path: null,
  architecture_path: null,
  ai_prompt_path: null,
  assets: [],
};

const fileEntry = ({ sha256, filename, signature }: Pick<Delta, 'sha256' | 'filename' | 'signature'>): FileEntry => ({
  file: exportedFile(sha256),
  filename,
  sha256,
  ...(signature !== null && { signature }),
});

const artifactEntry = ({
  platform,
  deltas,
  installation_type,
  updater_signature,
  ...file
}: Artifact): ArtifactEntry => ({
  platform,
  ...fileEntry(file),
  ...(deltas && { deltas: deltas.map(({ from_build, ...patch }) => ({ from_build, ...fileEntry(patch) })) }),
  ...(installation_type && { installation_type }),
  ...(updater_signature && { updater_signature }),
});

/** The release as a document contains it, with the signatures of its files, whose key may have been rotated since. */
export const releaseEntry = ({ artifacts, ...release }: Release): ReleaseEntry => ({
  ...release,
  artifacts: artifacts.map(artifactEntry),
});

/** The record without its account's id. */
const inAccount = <T extends { readonly account_id: number }>({ account_id: _, ...row }: T): Omit<T, 'account_id'> =>
  row;

const subscriptionEntry = (subscription: Subscription): SubscriptionEntry => {
  const { billing, ...row } = inAccount(subscription);
  if (!billing) return { ...row, billing: null };
  const { order_number: _, ...terms } = billing;
  return { ...row, billing: terms };
};

const byId = <T extends { readonly id: number }>(rows: readonly T[]): T[] => rows.toSorted((a, b) => a.id - b.id);

export type AccountRecords = Holdings & {
  readonly orders: readonly Order[];
  readonly invoices: readonly Invoice[];
  readonly payment_methods: readonly PaymentMethod[];
  readonly license_keys: readonly ApiKey[];
  readonly devices: readonly (Device & { readonly product_id: number })[];
  readonly teams: readonly Team[];
};

const keyEntry = ({ product_id, hash, prefix, created_at }: ApiKey): LicenseKeyEntry[] =>
  product_id === null ? [] : [{ product_id, hash, prefix, created_at }];

export const accountEntry = ({ password_hash, ...account }: Account, records: AccountRecords): AccountEntry => ({
  ...account,
  password: null,
  ...(password_hash !== null && { password_hash }),
  entitlements: byId(records.entitlements).map(inAccount),
  subscriptions: byId(records.subscriptions).map(subscriptionEntry),
  orders: byId(records.orders).map(inAccount),
  invoices: byId(records.invoices).map(inAccount),
  payment_methods: byId(records.payment_methods).map(inAccount),
  license_keys: records.license_keys.flatMap(keyEntry),
  devices: records.devices.flatMap(({ continuation: _, revoked_at, name_is_sent: __, ...device }) =>
    revoked_at === null ? [device] : [],
  ),
  ...(records.teams.length > 0 && { teams: records.teams.map(inAccount) }),
});
