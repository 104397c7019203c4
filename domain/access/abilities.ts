/**
 * Abilities of account API keys (docs/your-app.md, What a key may do). `devices.manage` releases any device of the
 * account. Device and license keys never have it, so a thief of one can't release the other devices.
 */
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
  'devices.manage',
] as const;
export type Ability = (typeof ABILITIES)[number];

export const PERSONAL_KEY_ABILITIES: readonly Ability[] = ['products.read', 'mcp.read', 'device.install'];

export const DEVICE_KEY_ABILITIES: readonly Ability[] = [
  'products.read',
  'device.entitlements',
  'device.activate',
  'device.install',
  'device.usage',
  'support.report',
];

/**
 * The abilities of a product key from bulk activation: the device abilities of its parent, except `device.activate`,
 * which creates keys. A key therefore never grants an ability that it lacks.
 */
export const productKeyAbilities = (parent: readonly Ability[]): readonly Ability[] =>
  DEVICE_KEY_ABILITIES.filter((ability) => ability !== 'device.activate' && parent.includes(ability));

/** The abilities of a license key, the same as those of a device key for the product. */
export const LICENSE_KEY_ABILITIES = productKeyAbilities(DEVICE_KEY_ABILITIES);
