import * as z from 'zod';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { KEY_KINDS } from '../../../domain/access/api-key.ts';
import { MOST_PER_MINUTE } from '../../../domain/accounts/account.ts';
import { GOES, STAYS } from '../../../domain/accounts/erasure.ts';
import { SLOT_KINDS } from '../../../domain/catalog/product.ts';
import { LONGEST_DEVICE_ID } from '../../../domain/devices/seat.ts';
import { WAYS_IN } from '../../../domain/sign-in/session.ts';
import { TEAM_ROLES } from '../../../domain/teams/team.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import { teamData } from '../api/team-data.ts';
import {
  bodyFlag,
  bodyInstant,
  bodyInteger,
  laxBoolean,
  line,
  mailAddress,
  orId,
  orNull,
  pathId,
  pathText,
  queryFlag,
  queryStretch,
  queryText,
} from '../fields.ts';
import { features, metadata, termName } from '../store-document/fields.ts';
import { each, list, moment, shopEntitlementData, shopProductData } from './records.ts';
import { MADE, shopEndpoints } from './terms.ts';

const account = { account: pathId('id of the account') };
const params = () => z.object(account);
const shop = shopEndpoints('support');
const trial = bodyFlag('decide, and change nothing');
const product = orId(line(200, 1)).meta({ description: 'id or slug of the product' });
/** A limit of 0 is a license without devices, as in a store document. */
const deviceLimit = bodyInteger({ minimum: 0, maximum: 999_999_999 });
const PATH = '/api/shop/accounts/{account}';
const NO_ADDRESS = 'must have no @, because it outlives the erasure of an account.';

/** A number for each of these kinds. */
const counts = <K extends string>(kinds: Readonly<Record<K, unknown>>) =>
  z.object(each(z.int(), ...(Object.keys(kinds) as K[])));

const shopAccountData = once(() =>
  component('ShopAccountData', {
    id,
    email: z.string(),
    name: nullableText,
    created_at: dateTime,
    suspended_at: moment.optional(),
    requests_per_minute: z.int().optional().describe('its own limit, in place of the service’s'),
  }),
);

const shopKeyData = once(() =>
  component('ShopKeyData', {
    id,
    account_id: id,
    prefix: z.string().describe('the first characters of the value'),
    name: z.string(),
    kind: z.enum(KEY_KINDS),
    abilities: z.array(z.enum(ABILITIES)),
    product_id: id.nullable(),
    client: nullableText,
    device: z.object({ device_id: z.string(), name: nullableText }).nullable(),
    parent_id: id.nullable(),
    created_at: dateTime,
    ...each(moment, 'expires_at', 'last_used_at', 'revoked_at'),
  }),
);

export const listAccounts = shop({
  id: 'listAccounts',
  path: '/api/shop/accounts',
  query: () => z.object({ newest: queryFlag('The newest first.'), ...queryStretch('id') }),
  answer: () => list(shopAccountData()),
  tool: { name: 'shop_list_accounts', effect: 'reads' },
});

/** The address is in the body, because URLs are logged. */
export const findAccount = shop({
  id: 'findAccount',
  method: 'POST',
  path: '/api/shop/account-lookups',
  body: () =>
    component('ShopFindAccountBody', {
      account: orId(line(254, 1)).meta({ description: 'email address or id of the account' }),
    }),
  answer: () => z.object({ account_id: id }),
  tool: { name: 'shop_find_account', effect: 'reads' },
});

export const addAccount = shop({
  id: 'addAccount',
  method: 'POST',
  path: '/api/shop/accounts',
  body: () => component('ShopAccountBody', { email: mailAddress, name: orNull(line(255)) }),
  answer: shopAccountData,
  output: MADE,
  tool: { name: 'shop_open_account', effect: 'adds' },
});

export const showAccount = shop({
  id: 'showAccount',
  path: PATH,
  params,
  answer: () =>
    shopAccountData().extend({
      has_password: z.boolean(),
      last_used_at: moment,
      counts: z.object({
        ...each(z.int(), 'keys', 'browsers', 'apps', 'devices', 'grants', 'orders', 'open_tickets'),
      }),
      products: z.array(
        z.object({
          product_id: id,
          slug: z.string(),
          state: z.string(),
          access_expires_at: moment,
          devices: z.int(),
          device_limit: z.int().nullable(),
          installed: z.object({ version: z.string(), installed_at: dateTime }).nullable(),
        }),
      ),
      newest_orders: z.array(z.object({ id, number: z.string(), status: z.string(), ordered_at: dateTime })),
      newest_tickets: z.array(z.object({ id, kind: z.string(), summary: z.string(), created_at: dateTime })),
    }),
  tool: { name: 'shop_show_account', effect: 'reads' },
});

export const suspendAccount = shop({
  id: 'suspendAccount',
  method: 'POST',
  path: `${PATH}/suspension`,
  params,
  body: () =>
    component('ShopSuspensionBody', { suspended: laxBoolean.meta({ description: 'false opens the account again' }) }),
  answer: () => z.object({ account: shopAccountData(), result: z.enum(['suspended', 'reinstated', 'unchanged']) }),
  tool: { name: 'shop_suspend_account', effect: 'replaces' },
});

/** The owner of the new address could sign in, so the token needs the role for sign-in links. */
export const renameAccount = shop({
  id: 'renameAccount',
  method: 'POST',
  path: `${PATH}/renaming`,
  params,
  access: { credential: 'agent', role: 'everything' },
  body: () => component('ShopRenamingBody', { email: orNull(mailAddress), name: orNull(line(255, 1)) }),
  answer: () => z.object({ account: shopAccountData(), result: z.enum(['renamed', 'unchanged']) }),
  tool: { name: 'shop_rename_account', effect: 'replaces' },
});

export const limitAccount = shop({
  id: 'limitAccount',
  method: 'POST',
  path: `${PATH}/limit`,
  params,
  body: () =>
    component('ShopLimitBody', {
      requests_per_minute: orNull(bodyInteger({ minimum: 1, maximum: MOST_PER_MINUTE })).meta({
        description: 'of all its keys together; null is the default',
      }),
    }),
  answer: () => z.object({ account: shopAccountData(), result: z.enum(['limited', 'unchanged']) }),
  tool: { name: 'shop_limit_account', effect: 'replaces' },
});

export const createSignInLink = shop({
  id: 'createSignInLink',
  method: 'POST',
  path: `${PATH}/sign-in-links`,
  params,
  answer: () => z.object({ url: z.url().nullable(), expires_at: moment, mailed_to: nullableText }),
  output: MADE,
  tool: { name: 'shop_create_sign_in_link', effect: 'adds' },
});

const waysIn = once(() =>
  z.array(
    z.object({
      way: z.enum(WAYS_IN),
      id: z.union([z.string(), z.int()]).nullable(),
      name: nullableText,
      since: moment,
    }),
  ),
);

export const listWaysIn = shop({
  id: 'listWaysIn',
  path: `${PATH}/ways-in`,
  params,
  answer: () => z.object({ ways_in: waysIn() }),
  tool: { name: 'shop_list_ways_in', effect: 'reads' },
});

export const lockOut = shop({
  id: 'lockOut',
  method: 'POST',
  path: `${PATH}/lock-out`,
  params,
  body: () => component('ShopLockOutBody', { trial }),
  answer: () => z.object({ ended: waysIn() }),
  tool: { name: 'shop_lock_out', effect: 'destroys' },
});

export const mergeAccounts = shop({
  id: 'mergeAccounts',
  method: 'POST',
  path: `${PATH}/merging`,
  params,
  access: { credential: 'agent', role: 'everything' },
  body: () =>
    component('ShopMergingBody', {
      into: bodyInteger({ minimum: 1 }).meta({ description: 'id of the account that remains' }),
      trial,
    }),
  answer: () =>
    z.object({
      moves: z.object({
        ...each(z.int(), 'grants', 'orders', 'invoices', 'devices', 'keys', 'tickets', 'payment_methods'),
      }),
    }),
  tool: { name: 'shop_merge_accounts', effect: 'destroys' },
});

export const eraseAccount = shop({
  id: 'eraseAccount',
  method: 'POST',
  path: `${PATH}/erasure`,
  params,
  access: { credential: 'agent', role: 'everything' },
  body: () => component('ShopErasureBody', { trial }),
  answer: () =>
    z.object({
      goes: counts(GOES).describe('the records that go, by kind'),
      stays: counts(STAYS).describe('the records that stay, by kind'),
      result: z.enum(['erased', 'completed', 'trial']),
    }),
  tool: { name: 'shop_erase_account', effect: 'destroys' },
});

export const listGrants = shop({
  id: 'listGrants',
  path: `${PATH}/grants`,
  params,
  query: () => z.object(queryStretch('moment')),
  answer: () =>
    list(
      z.object({
        kind: z.enum(['entitlement', 'subscription']),
        id,
        status: z.string(),
        products: z.array(z.string()),
        why: z.string(),
        granted_at: dateTime,
        ...each(moment, 'access_expires_at', 'updates_supported_until', 'revoked_at'),
        order_id: id.nullable(),
        device_limit: z.int().nullable(),
        units: z.int(),
        edition: nullableText.describe('the edition that was sold; null for the lowest'),
        features: z.array(z.string()).describe('the features that were sold beside it'),
      }),
    ),
  tool: { name: 'shop_list_grants', effect: 'reads' },
});

export const grantEntitlement = shop({
  id: 'grantEntitlement',
  method: 'POST',
  path: `${PATH}/grants`,
  params,
  idempotent: true,
  body: () =>
    component('ShopGrantBody', {
      product_id: bodyInteger({ minimum: 1 }),
      device_limit: orNull(deviceLimit).meta({
        description: 'null takes the product’s own limit',
      }),
      access_expires_at: orNull(bodyInstant),
      updates_supported_until: orNull(bodyInstant),
      edition: orNull(termName).meta({ description: 'null takes the product’s lowest edition' }),
      features: orNull(features).meta({ description: 'features beside those of the edition' }),
      metadata: orNull(metadata),
    }),
  answer: shopEntitlementData,
  output: MADE,
  tool: { name: 'shop_grant', effect: 'adds' },
});

export const extendGrant = shop({
  id: 'extendGrant',
  method: 'POST',
  path: `${PATH}/grants/{id}/extension`,
  params: () => z.object({ ...account, id: pathId('id of the entitlement') }),
  body: () =>
    component('ShopExtensionBody', {
      access_expires_at: orNull(z.union([z.literal('never'), bodyInstant])),
      updates_supported_until: orNull(z.union([z.literal('never'), bodyInstant])),
      device_limit: orNull(z.union([z.literal('product'), deviceLimit])).meta({
        description: '`product` takes the product’s own limit',
      }),
    }),
  answer: () => z.object({ entitlement: shopEntitlementData(), result: z.enum(['extended', 'unchanged']) }),
  tool: { name: 'shop_extend_grant', effect: 'replaces' },
});

export const revokeGrant = shop({
  id: 'revokeGrant',
  method: 'POST',
  path: `${PATH}/grants/{id}/revocation`,
  params: () => z.object({ ...account, id: pathId('id of the entitlement') }),
  body: () => component('ShopRevocationBody', { trial }),
  answer: () =>
    z.object({
      entitlement: shopEntitlementData(),
      result: z.enum(['revoked', 'unchanged']),
      usable: z.array(shopProductData()).describe('products of it that other grants still give'),
      unusable: z.array(shopProductData()).describe('products that the account may no longer use'),
    }),
  tool: { name: 'shop_revoke_grant', effect: 'destroys' },
});

/** A transfer gives the license to any address that the caller names, so it needs the role for sign-in links. */
export const transferGrant = shop({
  id: 'transferGrant',
  method: 'POST',
  path: `${PATH}/grants/{id}/transfer`,
  params: () => z.object({ ...account, id: pathId('id of the entitlement') }),
  access: { credential: 'agent', role: 'everything' },
  body: () => component('ShopTransferBody', { email: mailAddress, trial }),
  answer: () =>
    z.object({
      result: z.enum(['transferred', 'unchanged']),
      account_id: id.describe('the account that has it now; 0 for one that a trial would open'),
      entitlements: z.array(id).describe('the entitlement and its renewals'),
      keys: z.int().describe('license keys that go along'),
      products: z.array(shopProductData()).describe('products whose license keys and devices go along'),
    }),
  tool: { name: 'shop_transfer_grant', effect: 'destroys' },
});

export const listAccountTeams = shop({
  id: 'listAccountTeams',
  path: `${PATH}/teams`,
  params,
  answer: () => z.object({ teams: z.array(teamData().extend({ slug: z.string() })) }),
  tool: { name: 'shop_list_teams', effect: 'reads' },
});

export const inviteToAccountTeam = shop({
  id: 'inviteToAccountTeam',
  method: 'POST',
  path: `${PATH}/teams/invite`,
  params,
  body: () => component('ShopInvitationBody', { product, email: mailAddress, role: orNull(z.enum(TEAM_ROLES)) }),
  answer: () => teamData(),
  tool: { name: 'shop_invite_to_team', effect: 'adds' },
});

export const removeFromAccountTeam = shop({
  id: 'removeFromAccountTeam',
  method: 'POST',
  path: `${PATH}/teams/remove`,
  params,
  body: () => component('ShopRemovalBody', { product, person_id: bodyInteger({ minimum: 1 }) }),
  answer: () => z.object({ removed: z.boolean() }),
  tool: { name: 'shop_remove_from_team', effect: 'destroys' },
});

const shopDeviceData = once(() =>
  z.looseObject({
    device_id: z.string(),
    name: nullableText,
    activated_at: dateTime,
    last_seen_at: dateTime,
    offline_until: dateTime.nullable().describe('the end of an offline file, which holds the slot'),
    released_at: dateTime.nullable().describe('the release of a device whose offline file holds the slot'),
    shared_at: dateTime.nullable().describe('the moment from which on two machines are known to use it'),
  }),
);

export const listAccountDevices = shop({
  id: 'listAccountDevices',
  path: `${PATH}/devices`,
  params,
  query: () =>
    z.object({
      product: queryText(200, 'Only devices of this product, by id or slug.'),
      ...queryStretch('device'),
    }),
  answer: () =>
    list(
      z.object({
        product_id: id,
        slug: z.string(),
        slots: z.enum(SLOT_KINDS).optional().describe('the things that take slots; devices if left out'),
        limit: z.int().nullable(),
        used: z.int(),
        devices: z.array(
          shopDeviceData().extend({
            app_version: nullableText.describe('the version at the first check of its last day'),
            withdrawn: z.boolean(),
          }),
        ),
      }),
    ),
  tool: { name: 'shop_list_devices', effect: 'reads' },
});

export const releaseAccountDevice = shop({
  id: 'releaseAccountDevice',
  method: 'POST',
  path: `${PATH}/devices/{device_id}/release`,
  params: () => z.object({ ...account, device_id: pathText('id of the device') }),
  body: () =>
    component('ShopReleaseDeviceBody', {
      product,
      revoke_keys: bodyFlag('end the keys of the device too'),
      offline_too: bodyFlag('free the slot although an offline file runs'),
      trial,
    }),
  answer: () =>
    z.object({
      product: shopProductData(),
      device: shopDeviceData().nullable(),
      offline_until: dateTime.nullable().describe('null where the slot is free'),
      keys: z.array(shopKeyData()).describe('the live keys of the device'),
    }),
  tool: { name: 'shop_release_device', effect: 'destroys' },
});

const device = () => z.object({ device_id: pathText('id of the device') });

export const withdrawDevice = shop({
  id: 'withdrawDevice',
  method: 'POST',
  path: '/api/shop/devices/{device_id}/withdrawal',
  params: device,
  body: () =>
    component('ShopWithdrawalBody', {
      product,
      account_id: orNull(bodyInteger({ minimum: 1 })).meta({ description: 'the account whose slot is free at once' }),
      reason: orNull(line(255).refine((text) => !text.includes('@'), NO_ADDRESS)).meta({
        description: 'for the audit log, which outlives the erasure of an account',
      }),
      trial,
    }),
  answer: () =>
    z.object({
      product_id: id,
      slug: z.string(),
      device_id: z.string(),
      result: z.enum(['withdrawn', 'unchanged']),
      policy_version: z.int().describe('of the client policy that withdraws it'),
      released: z.boolean().describe('a slot of the account is free'),
    }),
  tool: { name: 'shop_withdraw_device', effect: 'destroys', renames: { account_id: 'account' } },
});

const shopTrialData = once(() =>
  component('ShopTrialData', {
    product_id: id,
    ...each(dateTime, 'started_at', 'ends_at'),
    converted_at: moment.optional().describe('when a license was first checked on the device'),
  }),
);

export const showTrials = shop({
  id: 'showTrials',
  path: '/api/shop/products/{named}/trials',
  params: () => z.object({ named: pathText('id or slug of the product') }),
  query: () => z.object({ device_id: queryText(LONGEST_DEVICE_ID, 'Also the trial of this device.') }),
  answer: () =>
    z.object({
      product_id: id,
      trial_days: z.int().nullable(),
      months: z.array(z.object({ month: z.string(), ...each(z.int(), 'started', 'converted') })),
      trial: shopTrialData().nullable(),
    }),
  tool: { name: 'shop_show_trials', effect: 'reads', renames: { named: 'product' } },
});

export const changeTrial = shop({
  id: 'changeTrial',
  method: 'POST',
  path: '/api/shop/devices/{device_id}/trial',
  params: device,
  body: () =>
    component('ShopTrialBody', {
      product,
      days: bodyInteger({ minimum: 0, maximum: 365 }).meta({ description: 'from now; 0 ends the trial' }),
    }),
  answer: () => z.object({ trial: shopTrialData() }),
  tool: { name: 'shop_change_trial', effect: 'replaces' },
});

export const restoreDevice = shop({
  id: 'restoreDevice',
  method: 'POST',
  path: '/api/shop/devices/{device_id}/restoring',
  params: device,
  body: () => component('ShopRestoringBody', { product }),
  answer: () => z.object({ product_id: id, slug: z.string(), device_id: z.string(), policy_version: z.int() }),
  tool: { name: 'shop_restore_device', effect: 'replaces' },
});

export const listApiKeys = shop({
  id: 'listApiKeys',
  path: `${PATH}/keys`,
  params,
  query: () => z.object(queryStretch('id')),
  answer: () => list(shopKeyData()),
  tool: { name: 'shop_list_keys', effect: 'reads' },
});

export const createApiKey = shop({
  id: 'createApiKey',
  method: 'POST',
  path: `${PATH}/keys`,
  params,
  body: () =>
    component('ShopKeyBody', {
      name: line(255, 1),
      abilities: orNull(z.array(z.enum(ABILITIES)).min(1).max(ABILITIES.length)),
      product_id: orNull(bodyInteger({ minimum: 1 })),
      expires_at: orNull(bodyInstant),
      device: orNull(
        z.object({ client: line(255, 1), device_id: line(LONGEST_DEVICE_ID, 1), name: orNull(line(255)) }),
      ).meta({ description: 'makes it the sign-in key of this client on this device' }),
    }),
  answer: () => z.object({ value: z.string(), key: shopKeyData(), replaced: shopKeyData().nullable() }),
  output: MADE,
  tool: { name: 'shop_create_key', effect: 'adds' },
});

export const createLicenseKey = shop({
  id: 'createLicenseKey',
  method: 'POST',
  path: `${PATH}/license-keys`,
  params,
  body: () => component('ShopLicenseKeyBody', { product, mail: bodyFlag('mail the key to the buyer, and show none') }),
  answer: () =>
    z.object({
      value: nullableText.describe('null where the buyer has the key already, or is mailed it'),
      key: shopKeyData().nullable(),
    }),
  output: MADE,
  tool: { name: 'shop_create_license_key', effect: 'adds' },
});

/** The key is sent in the body, because URLs are written into logs. */
export const revokeLeakedKey = shop({
  id: 'revokeLeakedKey',
  method: 'POST',
  path: '/api/shop/key-revocations',
  body: () =>
    component('ShopLeakedKeyBody', { key: z.string().max(1000).meta({ description: 'the text of the key' }) }),
  answer: () =>
    shopKeyData().extend({ account_id: id.nullable().describe('null for a key of a batch that nobody used') }),
  tool: { name: 'shop_revoke_leaked_key', effect: 'destroys' },
});

export const revokeApiKey = shop({
  id: 'revokeApiKey',
  method: 'POST',
  path: '/api/shop/keys/{key}/revocation',
  params: () => z.object({ key: pathId('id of the key') }),
  answer: shopKeyData,
  tool: { name: 'shop_revoke_key', effect: 'destroys' },
});
