/** Abilities of account API keys (specification, Authentication: Abilities). */
export const ABILITIES = [
  'products.read',
  'orders.read',
  'subscriptions.read',
  'mcp.read',
  'setup-progress.write',
  'device.install',
  'device.entitlements',
  'device.activate',
  'device.usage',
  'support.report',
] as const;
export type Ability = (typeof ABILITIES)[number];

/** What a key created by a person starts with. */
export const PERSONAL_KEY_ABILITIES: readonly Ability[] = ['products.read', 'mcp.read', 'device.install'];

/** What a key from device sign-in starts with. */
export const DEVICE_KEY_ABILITIES: readonly Ability[] = [
  'products.read',
  'device.entitlements',
  'device.activate',
  'device.install',
  'device.usage',
  'support.report',
];

/**
 * What a product key made by bulk activation holds: the device abilities that its parent holds too, without the one
 * that makes further keys. So no key can hand out more than it has.
 */
export const productKeyAbilities = (parent: readonly Ability[]): readonly Ability[] =>
  DEVICE_KEY_ABILITIES.filter((ability) => ability !== 'device.activate' && parent.includes(ability));
