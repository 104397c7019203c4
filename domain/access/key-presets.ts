import { type Instant, momentIn } from '../shared/instant.ts';
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

/** The maximum length of a key's name in the form for a new one. */
export const LONGEST_KEY_NAME = 100;

/** The form for a new key as its owner sent it. */
export type NewKeyForm = {
  readonly name: string;
  readonly abilities: readonly Ability[];
  /** An id, or the empty text for the whole account. */
  readonly product: string;
  /** A day, at whose end in UTC the key ends, or a time with its zone; empty for a key without an end. */
  readonly expires: string;
};

/** The fields that the owner has to correct. `products` are those that a key may be bound to. */
export const wrongKeyFields = (
  { name, abilities, product, expires }: NewKeyForm,
  products: readonly { readonly id: number }[],
  now: Instant,
): (keyof NewKeyForm)[] => {
  const end = momentIn(expires, 'end');
  const isRight = {
    name: name !== '' && name.length <= LONGEST_KEY_NAME,
    abilities: abilities.length > 0,
    product: product === '' || products.some(({ id }) => String(id) === product),
    expires: expires === '' || (end !== null && end > now),
  };
  return (Object.keys(isRight) as (keyof NewKeyForm)[]).filter((field) => !isRight[field]);
};
