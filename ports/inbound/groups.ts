/** The groups of endpoints, as the reference shows them. */
export const GROUPS = {
  Library: 'The products that the account may use, and their files.',
  Products: 'The catalog, the releases of a product, and update checks.',
  Install: 'The file to install for a product, with its URL and its sha256.',
  License: 'The decision whether a device may run a product, within the device limit.',
  Orders: 'The orders, invoices and payment methods of the account.',
  Subscriptions: 'The subscriptions of the account and their renewals.',
  'Setup progress': 'The setup steps of a product that the account has completed.',
  'Client config': 'The signed policy that clients follow.',
  Support: 'Error reports of applications, and problem reports of buyers.',
  MCP: 'The account API as tools for agents, by the Model Context Protocol.',
  Device: 'The entitlements, keys, installs and usage of a device.',
  'App distribution': 'The update feed of an application, and its downloads.',
  Downloads: 'The products that can be downloaded, by channel and platform.',
  Collect: 'Runs by which agents photograph the pages of the products (design host).',
  Documents: 'Design documents, their versions and reviews (design host).',
  Gallery: 'Apps, flows and screens that were collected (design host).',
  'Design MCP': 'The design host as tools and resources for agents.',
  Shop: 'The shop’s own systems: orders, refunds, events, accounts, grants, keys, releases and tickets (shop host).',
  Public: 'Information that everybody may read.',
} as const;

export type Group = keyof typeof GROUPS;
