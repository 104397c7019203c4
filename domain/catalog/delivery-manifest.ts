/** The values and the shape of ProductDeliveryData (specification, Library, products, delivery). */
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

/** The instructions by which a client installs the product from its artifact. */
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
