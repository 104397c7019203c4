import type { Ability } from './abilities.ts';

/** The uses of a key that a person makes, each with the abilities that it needs and no others. */
export const KEY_PRESETS = {
  agent: ['products.read', 'mcp.read', 'setup-progress.write', 'device.install', 'support.report'],
  script: ['products.read', 'orders.read', 'subscriptions.read'],
  build: ['products.read', 'device.install', 'device.entitlements'],
} as const satisfies Readonly<Record<string, readonly Ability[]>>;
export type KeyPreset = keyof typeof KEY_PRESETS;

export const KEY_PRESET_NAMES = Object.keys(KEY_PRESETS) as KeyPreset[];

export const keyPresetNamed = (text: string): KeyPreset | undefined => KEY_PRESET_NAMES.find((name) => name === text);
