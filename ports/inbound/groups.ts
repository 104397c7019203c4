/** The groups of endpoints, as the reference shows them. */
export const GROUPS = {
  Library: 'What the account may use, and the files that belong to it.',
  Products: 'The catalog, the releases of a product, and update checks.',
  Install: 'Where to get a product, and the sum to compare it with.',
  License: 'Whether a device may run a product, within the device limit.',
  Orders: 'What the account bought and how it paid: orders, invoices, payment methods.',
  Subscriptions: 'What the account pays for again and again.',
  'Setup progress': 'How far the account has set a product up.',
  'Client config': 'What clients have to hold to, signed.',
  Support: 'Errors that applications report, and problems that buyers do.',
  Device: 'What a device tells and asks: its entitlements, keys, installs and usage.',
  'App distribution': 'The update feed of an application, and the files that it leads to.',
  Downloads: 'What is to be had, by channel and platform.',
  Public: 'What everybody may look up.',
} as const;

export type Group = keyof typeof GROUPS;
