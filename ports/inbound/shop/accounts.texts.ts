import { inGroup } from '../documented.ts';

export const shopAccountsTexts = inGroup('Shop', {
  listAccounts: {
    summary: 'List the accounts',
    description: 'The accounts of the shop, by id.',
    tool: { description: 'By id, page by page. Use shop_find_account where you know the address.' },
  },
  findAccount: {
    summary: 'Find an account',
    description:
      'The id of the account with an email address. The address is sent in the body, so that no log contains it.',
    tool: { description: 'Other tools name an account by the id that this one gives.' },
    bodyExample: { account: 'demo@example.com' },
  },
  addAccount: {
    summary: 'Open an account',
    description:
      'Opens an account without a password, whose owner signs in by a one-time link. An address has one account.',
    tool: { description: 'One account for each address. Find it first.' },
    bodyExample: { email: 'buyer@example.com', name: 'A Buyer' },
  },
  showAccount: {
    summary: 'Show an account',
    description:
      'An account with its products, devices, keys, newest orders and open tickets, which are counted among the newest 200.',
    tool: { description: 'Use it first when a buyer asks something.' },
  },
  suspendAccount: {
    summary: 'Suspend or reinstate an account',
    description:
      'While an account is suspended, no key, session or token of it works, and its licenses are answered entitlement_revoked.',
    tool: { description: 'Shuts an account at once, or reinstates it. Ask the person first.' },
    bodyExample: { suspended: false },
  },
  renameAccount: {
    summary: 'Change the address or the name of an account',
    description:
      'Gives an account another email address or name; what is left out stays. The owner signs in with the new address, and keys, browsers and applications go on.',
    tool: { description: 'Whoever reads mail at the new address can sign in. Ask the person first.' },
    bodyExample: { name: 'Ada Kim' },
  },
  limitAccount: {
    summary: 'Set the request limit of an account',
    description: 'Sets the requests that an account may send a minute, from the next one on.',
    tool: { description: 'Raises or lowers the limit of one account; null takes the default.' },
    bodyExample: { requests_per_minute: 600 },
  },
  createSignInLink: {
    summary: 'Make a sign-in link',
    description:
      'A link that signs the owner of the account in once, within the hour. A token of the role `everything` gets the link. For any other role it is mailed to the account’s address, which `mailed_to` names; while a link of the last minutes waits there, no further one is sent.',
    tool: { description: 'Sends the owner a link by mail, or returns it: then give it only to the owner.' },
  },
  listWaysIn: {
    summary: 'List the ways into an account',
    description: 'Each way to sign in to an account or to act for it, without its secret.',
    tool: { description: 'Look at it when an owner fears that somebody else is in.' },
  },
  lockOut: {
    summary: 'End all ways into an account',
    description:
      'Ends the password, passkeys, browsers, keys, applications and links of an account, and answers what ended. Its owner signs in again by a link. The account keeps what it owns.',
    tool: { description: 'For an account in wrong hands. Call it with trial first, and ask the person.' },
    bodyExample: { trial: true },
  },
  mergeAccounts: {
    summary: 'Merge an account into another',
    description:
      'Moves the purchases, devices, keys and tickets of an account to another one of the same person, and ends it. Its address then leads to the other account. A limit of devices may be exceeded by it.',
    tool: { description: 'It can’t be undone. Call it with trial first, and ask the person.' },
    bodyExample: { into: 2, trial: true },
  },
  eraseAccount: {
    summary: 'Erase an account',
    description:
      'Erases an account and all that the shop has no duty to keep (GDPR, article 17). Once more a day later, it removes what a request under way wrote behind it.',
    tool: { description: 'It can’t be undone. Call it with trial first, and ask the person.' },
    bodyExample: { trial: true },
  },
  listGrants: {
    summary: 'List the grants of an account',
    description: 'The entitlements and subscriptions of an account with their states, and why it has them.',
    tool: { description: 'Tells why an account may use a product, or may not any more.' },
  },
  grantEntitlement: {
    summary: 'Grant an entitlement',
    description: 'Entitles an account to a product without an order. Each call adds one: send an Idempotency-Key.',
    tool: { description: 'Adds an entitlement with each call; name the call, so that a repetition adds none.' },
    bodyExample: { product_id: 4 },
  },
  extendGrant: {
    summary: 'Extend an entitlement',
    description: 'Gives an entitlement a later end, later updates or more devices. Nothing is ever taken away by it.',
    tool: { description: 'Only later and higher terms are taken.' },
    pathExamples: { id: 1 },
    bodyExample: {},
  },
  transferGrant: {
    summary: 'Transfer an entitlement',
    description:
      'Moves an entitlement with its renewals to the account of another address at once. License keys and devices of a product go along if the account may not use it afterwards. The order stays with its buyer, and its refund still ends the entitlement. A subscription can’t be transferred. An interrupted call is completed by the same call.',
    tool: { description: 'Call it with trial first, and ask the person: a wrong address gives the license away.' },
    pathExamples: { id: 1 },
    bodyExample: { email: 'new-owner@example.com', trial: true },
  },
  revokeGrant: {
    summary: 'Revoke an entitlement',
    description: 'Ends an entitlement for good, effective with the next request.',
    tool: { description: 'It can’t be undone. Call it with trial first, and ask the person.' },
    pathExamples: { id: 1 },
    bodyExample: { trial: true },
  },
  listAccountTeams: {
    summary: 'List the teams of an account',
    description: 'The products of an account whose seats people share, with the people and open invitations.',
    tool: { description: 'Tells who has a seat, and the `id` of each person.' },
  },
  inviteToAccountTeam: {
    summary: 'Invite a person to a team of an account',
    description: 'Does for the owner what `inviteToTeam` does; an open invitation is mailed again.',
    tool: { description: 'Mails a person an invitation to a seat. Ask the person for the address first.' },
    bodyExample: { product: 'hashcheck', email: 'newcomer@example.com' },
  },
  removeFromAccountTeam: {
    summary: 'Remove a person from a team of an account',
    description: 'Takes back a seat or an invitation for the owner. `removed` is false for a person who is gone.',
    tool: { description: 'Takes back the seat of a person, by the `id` that shop_list_teams lists.' },
    bodyExample: { product: 'hashcheck', person_id: 373_283_905_540_002 },
  },
  listAccountDevices: {
    summary: 'List the devices of an account',
    description: 'The devices of an account that hold a slot, by product.',
    tool: { description: 'Tells which devices fill the limit of a product.' },
  },
  releaseAccountDevice: {
    summary: 'Release a device',
    description:
      'Frees the slot of a device. Its keys live on and may take a free slot again, unless they end too. An offline file that runs holds the slot until `offline_until`, unless `offline_too` is true.',
    tool: { description: 'Frees a slot of the device limit. Call it with trial first.' },
    pathExamples: { device_id: 'mac-7f31' },
    bodyExample: { product: 'hashcheck', trial: true },
  },
  withdrawDevice: {
    summary: 'Withdraw a device',
    description:
      'Blocks a product on a device in every account, by the client policy. Applications learn of it at their next check.',
    tool: { description: 'For a stolen or shared device. Call it with trial first.' },
    pathExamples: { device_id: 'laptop-3' },
    bodyExample: { product: 'hashcheck', reason: 'Reported as stolen' },
  },
  showTrials: {
    summary: 'Show the trials of a product',
    description:
      'The trials that started in each of the last twelve months (UTC), and those of them whose device has had a license since. A device’s own trial is found by the id that the application sends.',
    tool: { description: 'For the conversion of trials, and for a buyer who asks about one.' },
    pathExamples: { named: 'hashcheck' },
  },
  changeTrial: {
    summary: 'Change a trial',
    description:
      'Lets the trial of a device run for so many days from now. The application learns of it at its next call; a token that it has stays valid until its own end.',
    tool: { description: 'To extend a trial for a person who asks for more time, or with 0 to end it.' },
    pathExamples: { device_id: 'macbook-7f3a' },
    bodyExample: { product: 'hashcheck', days: 14 },
  },
  restoreDevice: {
    summary: 'Restore a withdrawn device',
    description: 'Lets a withdrawn device run the product again, once it takes a free slot.',
    tool: { description: 'Undoes shop_withdraw_device.' },
    pathExamples: { device_id: 'laptop-3' },
    bodyExample: { product: 'hashcheck' },
  },
  listApiKeys: {
    summary: 'List the keys of an account',
    description: 'The keys of an account, live or recently ended, without their values.',
    tool: { description: 'Live keys and those that ended recently, without their values.' },
  },
  createApiKey: {
    summary: 'Create a key',
    description:
      'Creates an API key of an account. Its value is in this answer alone. `product_id` limits products, library, bundles and entitlements; `orders.read` and `subscriptions.read` open the billing of the whole account all the same, and a token of the role `support` gives no key them.',
    tool: { description: 'The value is shown once: give it to the person at once, and write it nowhere.' },
    bodyExample: { name: 'Build server', product_id: 8 },
  },
  createLicenseKey: {
    summary: 'Create a license key',
    description:
      'Creates the license key of a product for a buyer who may use it, unless the buyer has one. Its value is in this answer alone, or in the buyer’s mail.',
    tool: { description: 'With mail, only the buyer gets the key, which is safer.' },
    bodyExample: { product: 'hashcheck' },
  },
  revokeLeakedKey: {
    summary: 'Revoke a key by its text',
    description: 'Revokes a key that somebody found, by its text, which is stored and logged nowhere.',
    tool: { description: 'For a key that leaked. Applications with it stop at once.' },
    bodyExample: { key: 'svc_EXAMPLEKEY' },
  },
  revokeApiKey: {
    summary: 'Revoke a key',
    description:
      'Revokes a key and the keys that it activated, effective with the next request. Answers the key as it was.',
    tool: { description: 'Applications with this key stop at once.' },
  },
});
