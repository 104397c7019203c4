import type { Ability } from './abilities.ts';

/** Presets for personal keys, each with exactly the abilities that it needs. */
export const KEY_PRESETS = {
  agent: ['products.read', 'mcp.read', 'setup-progress.write', 'device.install', 'support.report'],
  script: ['products.read', 'orders.read', 'subscriptions.read'],
  build: ['products.read', 'device.install', 'device.entitlements'],
} as const satisfies Readonly<Record<string, readonly Ability[]>>;
export type KeyPreset = keyof typeof KEY_PRESETS;

export const KEY_PRESET_NAMES = Object.keys(KEY_PRESETS) as KeyPreset[];

export const keyPresetNamed = (text: string): KeyPreset | undefined => KEY_PRESET_NAMES.find((name) => name === text);
