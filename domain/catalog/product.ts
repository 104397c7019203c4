import type { Instant } from '../shared/instant.ts';
import type { Localized } from '../shared/locale.ts';

export type Category = {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: Localized;
  /** Buyers see only categories that are active and `public`; products may be in others too. */
  readonly active: boolean;
  readonly visibility: string;
};

export type Tag = {
  readonly id: number;
  readonly name: Localized;
  readonly type: string | null;
  readonly active: boolean;
};

/** A set of products sold as one product: owning `product_id` gives access to each of `product_ids`. */
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

/** A content asset that an installer needs on a platform; `any` means every platform. */
export type InstallAsset = { readonly platform: string; readonly label: Localized; readonly path: string };

export type McpServer = {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly tools: readonly { readonly id: number; readonly name: string; readonly enabled: boolean }[];
};

/**
 * The readers of an appcast. `public`: everybody, without a key. `entitled`: keys of accounts that may use the product.
 */
export const FEED_READERS = ['public', 'entitled'] as const;
export type FeedReaders = (typeof FEED_READERS)[number];

/** Texts of the shop about a product or a license, by name. They are not secret: applications read them. */
export type Metadata = Readonly<Record<string, string>>;

/** An edition of a product, such as `pro`, with the features of its licenses. */
export type Edition = { readonly name: string; readonly features: readonly string[] };

/** The terms of a license beside its time and devices, as they were at its sale. Features are sets of names. */
export type LicenseTerms = {
  /** The edition; without one, the product's lowest. */
  readonly edition?: string | undefined;
  /** Features beside those of the edition. */
  readonly features?: readonly string[] | undefined;
  /** The editions whose licenses this one takes the place of, unit by unit: it is an upgrade. */
  readonly upgrades_from?: readonly string[] | undefined;
  /**
   * Present for an add-on, which gives only its features, while a license of one of these editions is held; empty for
   * any license.
   */
  readonly requires?: readonly string[] | undefined;
};

/** The things that the slots of a license are for: devices, people with their own devices, or running sessions. */
export const SLOT_KINDS = ['devices', 'persons', 'sessions'] as const;
export type SlotKind = (typeof SLOT_KINDS)[number];

/** The answer to a use that was not sold; `allowed` by default. */
export const RULINGS = ['allowed', 'refused'] as const;
export type Ruling = (typeof RULINGS)[number];

/** A product, without the long texts and files of its detail page (`ProductContent`). */
export type Product = {
  readonly id: number;
  readonly slug: string;
  /** The store's name of the kind: `app`, `skill`, `extension`, `tool`, `content`, `bundle`, … */
  readonly type: string;
  readonly type_label: Localized;
  readonly name: Localized;
  readonly description: Localized | null;
  readonly list_price_cents: number | null;
  readonly unit_price_cents: number;
  readonly currency: string;
  /** True if the product is sold and listed. */
  readonly active: boolean;
  /** False hides the product from every account that can't access it. */
  readonly published: boolean;
  /** The readers of the application's feeds and releases; undefined means `public`. */
  readonly feed?: FeedReaders | undefined;
  /** True if a product that is not a macOS application has feeds for updaters other than Sparkle. */
  readonly update_feeds?: boolean | undefined;
  readonly primary_category_id: number | null;
  readonly category_ids: readonly number[];
  readonly tag_ids: readonly number[];
  /** The application's bundle identifier, unique in the catalog. */
  readonly bundle_id: string | null;
  readonly delivery: DeliveryManifest;
  readonly runtime: string | null;
  readonly platforms: readonly string[];
  readonly version_scheme: VersionScheme;
  /** Devices per license; null means no limit. */
  readonly device_limit: number | null;
  /** `highest`: of an account's purchases and subscriptions, only the highest limit applies; otherwise they add up. */
  readonly stacking?: 'highest' | undefined;
  /** Whether a license check passes for a device that two machines use. */
  readonly shared_devices?: Ruling | undefined;
  /** Whether a released version that the update window does not cover may run. */
  readonly uncovered_versions?: Ruling | undefined;
  /** The prices of payment providers that sell the product; absent if there are none. */
  readonly prices?: readonly Price[] | undefined;
  /**
   * True if a purchase includes a license key, for an application without sign-in; `shown` if the service keeps its
   * value, encrypted, and shows it to its owner again.
   */
  readonly license_keys?: boolean | { readonly shown: true } | undefined;
  /** The editions, lowest first; absent if there is only one. */
  readonly editions?: readonly Edition[] | undefined;
  /** The features of every license. */
  readonly features?: readonly string[] | undefined;
  readonly metadata?: Metadata | undefined;
  /** The things that take slots; absent: devices. */
  readonly slots?: SlotKind | undefined;
  /** Minutes that a session holds its slot without a renewal; absent: 10. */
  readonly lease_minutes?: number | undefined;
  /** Days for which a session may be borrowed, to run offline; absent: none. */
  readonly borrow_days?: number | undefined;
  /** Days of a trial; absent if there is none. */
  readonly trial_days?: number | undefined;
  /** Days that a token is valid offline; null: for ever; absent: those of the client policy. */
  readonly ttl_days?: number | null | undefined;
  readonly setup_steps: readonly Localized[];
  readonly manual: Localized<Manual> | null;
  readonly outputs: readonly SetupOutput[];
  readonly install_assets: readonly InstallAsset[];
  readonly mcp_server: McpServer | null;
  readonly hero: { readonly path: string; readonly alt: Localized } | null;
  /** HTML from the store document; sanitized before it is sent. */
  readonly thumbnail_html: string | null;
  /**
   * The content assets that `thumbnail_html` may show, so that a library needs no content; absent if there are none.
   */
  readonly pictures?: readonly ContentAsset[] | undefined;
  readonly created_at: Instant;
  /** `document` if an import of a store document wrote the product, so the next one replaces all changes made since. */
  readonly managed_by?: 'document' | undefined;
};

/** A file of a product's content. The object store has its bytes under its sha256. */
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
  /** HTML from the store document; sanitized before it is sent. */
  readonly detail_html: Localized | null;
  readonly gallery: readonly { readonly path: string; readonly alt: Localized | null }[];
  readonly videos: readonly { readonly url: string; readonly title: Localized | null }[];
  /** Paths of content assets. */
  readonly usage_path: string | null;
  readonly architecture_path: string | null;
  readonly ai_prompt_path: string | null;
  readonly assets: readonly ContentAsset[];
};

/** The values and the shape of `ProductDeliveryData` in the OpenAPI document. */
export const STRATEGIES = ['agent-skill', 'vscode-vsix', 'macos-app', 'binary', 'managed-directory', 'manual'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const TARGETS = ['codex', 'claude-code', 'vscode', 'macos'] as const;
export type Target = (typeof TARGETS)[number];

export const DEPENDENCY_KINDS = ['executable', 'macos-version', 'architecture', 'host-application'] as const;
export type DependencyKind = (typeof DEPENDENCY_KINDS)[number];

export const LAUNCH_KINDS = ['open-app', 'reveal-managed-root', 'open-vscode', 'none'] as const;
export type LaunchKind = (typeof LAUNCH_KINDS)[number];

export type DeliveryPayload = {
  readonly artifact: string | null;
  readonly root: string | null;
  readonly skill_manifest: string | null;
  readonly vsix_path: string | null;
  readonly extension_id: string | null;
  readonly app_path: string | null;
  readonly bundle_id: string | null;
  readonly binary_path: string | null;
  readonly executable_name: string | null;
};

export type DeliveryDependency = {
  readonly kind: DependencyKind;
  readonly name: string | null;
  readonly version_constraint: string | null;
  readonly architectures: readonly string[];
  readonly bundle_id: string | null;
};

/** The instructions for a client to install the product from its artifact. */
export type DeliveryManifest = {
  readonly schema_version: number;
  readonly strategy: Strategy;
  readonly payload: DeliveryPayload;
  readonly targets: readonly Target[];
  readonly dependencies: readonly DeliveryDependency[];
  readonly launch: { readonly kind: LaunchKind };
  readonly requires_confirmation: boolean;
  readonly compatibility: boolean;
};

/**
 * A payment provider's price for a product, with its terms. A subscription to several apps has one price, listed in
 * each of its products.
 */
export type Price = {
  /** The provider, such as `stripe`, `paddle`, or `shop` for the shop's own system. */
  readonly provider: string;
  readonly id: string;
  /** Devices of each unit; null means the product's own limit. */
  readonly device_limit: number | null;
  /** Days of access after the payment; null means forever. */
  readonly access_days: number | null;
  /** Days after the payment whose releases are covered; null covers all. */
  readonly updates_days: number | null;
  /** The days after the end of a paid period during which a failed renewal can still succeed. */
  readonly grace_days: number;
  /** True if a purchase extends the buyer's existing access from its end, and adds no devices. */
  readonly renewal?: boolean | undefined;
  /** The plan of a subscription to the store's apps; null for anything else. */
  readonly apps: { readonly tier: string; readonly features: readonly string[] } | null;
} & LicenseTerms;

/** The rules that order a product's versions: Semantic Versioning 2.0.0, or Sparkle's standard comparator. */
export const VERSION_SCHEMES = ['semver', 'sparkle'] as const;
export type VersionScheme = (typeof VERSION_SCHEMES)[number];
