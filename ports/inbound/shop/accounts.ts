import * as z from 'zod';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import {
  bodyInstant,
  bodyInteger,
  laxBoolean,
  line,
  mailAddress,
  orId,
  orNull,
  pathId,
  pathText,
  queryStretch,
  queryText,
} from '../fields.ts';
import { MADE, shopEndpoints } from './terms.ts';

const account = { account: pathId('id of the account') };
const params = z.object(account);
const shop = shopEndpoints('support');
const trial = orNull(laxBoolean).meta({ description: 'decide, and change nothing' });
const product = orId(line(200, 1)).meta({ description: 'id or slug of the product' });
const PATH = '/api/shop/accounts/{account}';

export const listAccounts = shop({
  id: 'listAccounts',
  path: '/api/shop/accounts',
  query: z.object(queryStretch('id')),
  tool: { name: 'shop_list_accounts', effect: 'reads' },
});

/** The address stands in the body, because URLs are written into logs. */
export const findAccount = shop({
  id: 'findAccount',
  method: 'POST',
  path: '/api/shop/account-lookups',
  body: z
    .object({ account: orId(line(254, 1)).meta({ description: 'e-mail address or id of the account' }) })
    .meta({ id: 'ShopFindAccountBody' }),
  tool: { name: 'shop_find_account', effect: 'reads' },
});

export const addAccount = shop({
  id: 'addAccount',
  method: 'POST',
  path: '/api/shop/accounts',
  body: z.object({ email: mailAddress, name: orNull(line(255)) }).meta({ id: 'ShopAccountBody' }),
  output: MADE,
  tool: { name: 'shop_open_account', effect: 'adds' },
});

export const showAccount = shop({
  id: 'showAccount',
  path: PATH,
  params,
  tool: { name: 'shop_show_account', effect: 'reads' },
});

export const suspendAccount = shop({
  id: 'suspendAccount',
  method: 'POST',
  path: `${PATH}/suspension`,
  params,
  body: z
    .object({ suspended: laxBoolean.meta({ description: 'false opens the account again' }) })
    .meta({ id: 'ShopSuspensionBody' }),
  tool: { name: 'shop_suspend_account', effect: 'replaces' },
});

export const createSignInLink = shop({
  id: 'createSignInLink',
  method: 'POST',
  path: `${PATH}/sign-in-links`,
  params,
  output: MADE,
  tool: { name: 'shop_create_sign_in_link', effect: 'adds' },
});

export const eraseAccount = shop({
  id: 'eraseAccount',
  method: 'POST',
  path: `${PATH}/erasure`,
  params,
  access: { credential: 'agent', role: 'everything' },
  body: z.object({ trial }).meta({ id: 'ShopErasureBody' }),
  tool: { name: 'shop_erase_account', effect: 'destroys' },
});

export const listGrants = shop({
  id: 'listGrants',
  path: `${PATH}/grants`,
  params,
  query: z.object(queryStretch('moment')),
  tool: { name: 'shop_list_grants', effect: 'reads' },
});

export const grantEntitlement = shop({
  id: 'grantEntitlement',
  method: 'POST',
  path: `${PATH}/grants`,
  params,
  idempotent: true,
  body: z
    .object({
      product_id: bodyInteger({ minimum: 1 }),
      device_limit: orNull(bodyInteger({ minimum: 1, maximum: 100_000 })).meta({
        description: 'null takes the product’s own limit',
      }),
      access_expires_at: orNull(bodyInstant),
      updates_supported_until: orNull(bodyInstant),
    })
    .meta({ id: 'ShopGrantBody' }),
  output: MADE,
  tool: { name: 'shop_grant', effect: 'adds' },
});

export const extendGrant = shop({
  id: 'extendGrant',
  method: 'POST',
  path: `${PATH}/grants/{id}/extension`,
  params: z.object({ ...account, id: pathId('id of the entitlement') }),
  body: z
    .object({
      access_expires_at: orNull(z.union([z.literal('never'), bodyInstant])),
      updates_supported_until: orNull(z.union([z.literal('never'), bodyInstant])),
      device_limit: orNull(z.union([z.literal('product'), bodyInteger({ minimum: 1, maximum: 100_000 })])).meta({
        description: '`product` takes the product’s own limit',
      }),
    })
    .meta({ id: 'ShopExtensionBody' }),
  tool: { name: 'shop_extend_grant', effect: 'replaces' },
});

export const revokeGrant = shop({
  id: 'revokeGrant',
  method: 'POST',
  path: `${PATH}/grants/{id}/revocation`,
  params: z.object({ ...account, id: pathId('id of the entitlement') }),
  body: z.object({ trial }).meta({ id: 'ShopRevocationBody' }),
  tool: { name: 'shop_revoke_grant', effect: 'destroys' },
});

export const listAccountDevices = shop({
  id: 'listAccountDevices',
  path: `${PATH}/devices`,
  params,
  query: z.object({
    product: queryText(200, 'Only devices of this product, by id or slug.'),
    ...queryStretch('device'),
  }),
  tool: { name: 'shop_list_devices', effect: 'reads' },
});

export const releaseAccountDevice = shop({
  id: 'releaseAccountDevice',
  method: 'POST',
  path: `${PATH}/devices/{device_id}/release`,
  params: z.object({ ...account, device_id: pathText('id of the device') }),
  body: z
    .object({
      product,
      revoke_keys: orNull(laxBoolean).meta({ description: 'end the keys of the device too' }),
      offline_too: orNull(laxBoolean).meta({ description: 'free the slot although an offline file runs' }),
      trial,
    })
    .meta({ id: 'ShopReleaseDeviceBody' }),
  tool: { name: 'shop_release_device', effect: 'destroys' },
});

export const listApiKeys = shop({
  id: 'listApiKeys',
  path: `${PATH}/keys`,
  params,
  query: z.object(queryStretch('id')),
  tool: { name: 'shop_list_keys', effect: 'reads' },
});

export const createApiKey = shop({
  id: 'createApiKey',
  method: 'POST',
  path: `${PATH}/keys`,
  params,
  body: z
    .object({
      name: line(255, 1),
      abilities: orNull(z.array(z.enum(ABILITIES)).min(1).max(ABILITIES.length)),
      product_id: orNull(bodyInteger({ minimum: 1 })),
      expires_at: orNull(bodyInstant),
    })
    .meta({ id: 'ShopKeyBody' }),
  output: MADE,
  tool: { name: 'shop_create_key', effect: 'adds' },
});

export const revokeApiKey = shop({
  id: 'revokeApiKey',
  method: 'POST',
  path: '/api/shop/keys/{key}/revocation',
  params: z.object({ key: pathId('id of the key') }),
  tool: { name: 'shop_revoke_key', effect: 'destroys' },
});
