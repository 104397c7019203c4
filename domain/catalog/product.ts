import type { Delivery } from '../delivery/manifest.ts';
import type { VersionScheme } from '../delivery/version-order.ts';
import type { Instant } from '../shared/instant.ts';
import type { Localized } from '../shared/locale.ts';

export type Category = {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: Localized;
  readonly active: boolean;
  readonly visibility: string;
};

export type Tag = {
  readonly id: number;
  readonly name: Localized;
  readonly type: string | null;
  readonly active: boolean;
};

/** A product that is sold as several: owning `product_id` gives access to each of `product_ids`. */
export type Bundle = {
  readonly id: number;
  readonly product_id: number;
  readonly name: Localized;
  readonly product_ids: readonly number[];
  readonly active: boolean;
};

export type Manual = {
  readonly summary: string | null;
  readonly requirements: readonly string[];
  readonly install_steps: readonly string[];
  readonly verification_steps: readonly string[];
  readonly troubleshooting: readonly string[];
};

export type SetupOutput = {
  readonly id: number;
  readonly title: Localized;
  readonly category_label: Localized | null;
  readonly summary: Localized | null;
  readonly prompt: Localized;
  readonly usage_guide: Localized | null;
  readonly action_url: string | null;
};

/** A content asset that an installer needs on a platform (`any` for all). */
export type InstallAsset = { readonly platform: string; readonly label: Localized; readonly path: string };

export type McpServer = {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly tools: readonly { readonly id: number; readonly name: string; readonly enabled: boolean }[];
};

/** `public`: whoever asks, without a key. `entitled`: only with the key of an account that may use the product. */
export const FEEDS = ['public', 'entitled'] as const;
export type Feed = (typeof FEEDS)[number];

/** What the catalog knows of a product, but for the long texts and files of its detail page. */
export type Product = {
  readonly id: number;
  readonly slug: string;
  /** `app`, `skill`, `extension`, `tool`, `content`, `bundle`, … as the store names it. */
  readonly type: string;
  readonly type_label: Localized;
  readonly name: Localized;
  readonly description: Localized | null;
  readonly list_price_cents: number | null;
  readonly unit_price_cents: number;
  readonly currency: string;
  /** Sold and listed. */
  readonly active: boolean;
  /** False hides an app from every account that can't access it. */
  readonly published: boolean;
  /** Who may read the appcast of an application and download its releases; everybody where it isn't said. */
  readonly feed?: Feed | undefined;
  readonly primary_category_id: number | null;
  readonly category_ids: readonly number[];
  readonly tag_ids: readonly number[];
  /** The application's bundle identifier, unique in the catalog. */
  readonly bundle_id: string | null;
  readonly delivery: Delivery;
  readonly runtime: string | null;
  readonly platforms: readonly string[];
  readonly version_scheme: VersionScheme;
  /** Devices per license; null is no limit. */
  readonly device_limit: number | null;
  readonly setup_steps: readonly Localized[];
  readonly manual: Localized<Manual> | null;
  readonly outputs: readonly SetupOutput[];
  readonly install_assets: readonly InstallAsset[];
  readonly mcp_server: McpServer | null;
  readonly hero: { readonly path: string; readonly alt: Localized } | null;
  /** HTML of the store; sanitised before it leaves. */
  readonly thumbnail_html: string | null;
  readonly created_at: Instant;
};

/** A file of a product's content, found in the object store under its sha256. */
export type ContentAsset = {
  /** Relative, with `/` between its parts; never `..`. */
  readonly path: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly content_type: string;
};

/** The long texts and files of a product's detail page. */
export type ProductContent = {
  readonly product_id: number;
  /** HTML of the store; sanitised before it leaves. */
  readonly detail_html: Localized | null;
  readonly gallery: readonly { readonly path: string; readonly alt: Localized | null }[];
  readonly videos: readonly { readonly url: string; readonly title: Localized | null }[];
  /** Paths of content assets. */
  readonly usage_path: string | null;
  readonly architecture_path: string | null;
  readonly ai_prompt_path: string | null;
  readonly assets: readonly ContentAsset[];
};
