import * as z from 'zod';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { endpoint } from '../endpoint.ts';
import {
  bodyInstant,
  bodyInteger,
  laxBoolean,
  line,
  orNull,
  pathId,
  pathText,
  queryRows,
  queryText,
} from '../fields.ts';

const access = { credential: 'agent', role: 'support' } as const;
const account = { account: pathId('id of the account') };
const params = z.object(account);
const refusals = ['shop_not_found', 'shop_refused'] as const;
const one = { kind: 'json', status: 200 } as const;
const made = { kind: 'json', status: 201 } as const;
const email = z.email().max(254);
const trial = orNull(laxBoolean).meta({ description: 'decide, and change nothing' });
const product = line(200, 1).meta({ description: 'id or slug of the product' });
const PATH = '/api/shop/accounts/{account}';

export const listAccounts = endpoint({
  id: 'listAccounts',
  host: 'shop',
  method: 'GET',
  path: '/api/shop/accounts',
  access,
  output: one,
  refusals,
  tool: { name: 'shop_list_accounts', effect: 'reads' },
});

/** The address stands in the body, because URLs are written into logs. */
export const findAccount = endpoint({
  id: 'findAccount',
  host: 'shop',
  method: 'POST',
  path: '/api/shop/account-lookups',
  access,
  body: z
    .object({ account: line(254, 1).meta({ description: 'e-mail address or id of the account' }) })
    .meta({ id: 'ShopFindAccountBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_find_account', effect: 'reads' },
});

export const addAccount = endpoint({
  id: 'addAccount',
  host: 'shop',
  method: 'POST',
  path: '/api/shop/accounts',
  access,
  body: z.object({ email, name: orNull(line(255)) }).meta({ id: 'ShopAccountBody' }),
  output: made,
  refusals,
  tool: { name: 'shop_open_account', effect: 'adds' },
});

export const showAccount = endpoint({
  id: 'showAccount',
  host: 'shop',
  method: 'GET',
  path: PATH,
  params,
  access,
  output: one,
  refusals,
  tool: { name: 'shop_show_account', effect: 'reads' },
});

export const suspendAccount = endpoint({
  id: 'suspendAccount',
  host: 'shop',
  method: 'POST',
  path: `${PATH}/suspension`,
  params,
  access,
  body: z
    .object({ suspended: laxBoolean.meta({ description: 'false opens the account again' }) })
    .meta({ id: 'ShopSuspensionBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_suspend_account', effect: 'replaces' },
});

export const createSignInLink = endpoint({
  id: 'createSignInLink',
  host: 'shop',
  method: 'POST',
  path: `${PATH}/sign-in-links`,
  params,
  access,
  output: made,
  refusals,
  tool: { name: 'shop_create_sign_in_link', effect: 'adds' },
});

export const eraseAccount = endpoint({
  id: 'eraseAccount',
  host: 'shop',
  method: 'POST',
  path: `${PATH}/erasure`,
  params,
  access: { credential: 'agent', role: 'everything' },
  body: z.object({ trial }).meta({ id: 'ShopErasureBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_erase_account', effect: 'destroys' },
});

export const listGrants = endpoint({
  id: 'listGrants',
  host: 'shop',
  method: 'GET',
  path: `${PATH}/grants`,
  params,
  access,
  output: one,
  refusals,
  tool: { name: 'shop_list_grants', effect: 'reads' },
});

export const grantEntitlement = endpoint({
  id: 'grantEntitlement',
  host: 'shop',
  method: 'POST',
  path: `${PATH}/grants`,
  params,
  access,
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
  output: made,
  refusals,
  tool: { name: 'shop_grant', effect: 'adds' },
});

export const extendGrant = endpoint({
  id: 'extendGrant',
  host: 'shop',
  method: 'POST',
  path: `${PATH}/grants/{id}/extension`,
  params: z.object({ ...account, id: pathId('id of the entitlement') }),
  access,
  body: z
    .object({
      access_expires_at: orNull(z.union([z.literal('never'), bodyInstant])),
      updates_supported_until: orNull(z.union([z.literal('never'), bodyInstant])),
      device_limit: orNull(z.union([z.literal('product'), bodyInteger({ minimum: 1, maximum: 100_000 })])).meta({
        description: '`product` takes the product’s own limit',
      }),
    })
    .meta({ id: 'ShopExtensionBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_extend_grant', effect: 'replaces' },
});

export const revokeGrant = endpoint({
  id: 'revokeGrant',
  host: 'shop',
  method: 'POST',
  path: `${PATH}/grants/{id}/revocation`,
  params: z.object({ ...account, id: pathId('id of the entitlement') }),
  access,
  body: z.object({ trial }).meta({ id: 'ShopRevocationBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_revoke_grant', effect: 'destroys' },
});

export const listAccountDevices = endpoint({
  id: 'listAccountDevices',
  host: 'shop',
  method: 'GET',
  path: `${PATH}/devices`,
  params,
  access,
  query: z.object({
    product: queryText(200, 'Only devices of this product, by id or slug.'),
    limit: queryRows,
    after: queryText(300, 'The device after which the page begins.'),
  }),
  output: one,
  refusals,
  tool: { name: 'shop_list_devices', effect: 'reads' },
});

export const releaseAccountDevice = endpoint({
  id: 'releaseAccountDevice',
  host: 'shop',
  method: 'POST',
  path: `${PATH}/devices/{device_id}/release`,
  params: z.object({ ...account, device_id: pathText('id of the device') }),
  access,
  body: z
    .object({
      product,
      revoke_keys: orNull(laxBoolean).meta({ description: 'end the keys of the device too' }),
      trial,
    })
    .meta({ id: 'ShopReleaseDeviceBody' }),
  output: one,
  refusals,
  tool: { name: 'shop_release_device', effect: 'destroys' },
});

export const listApiKeys = endpoint({
  id: 'listApiKeys',
  host: 'shop',
  method: 'GET',
  path: `${PATH}/keys`,
  params,
  access,
  output: one,
  refusals,
  tool: { name: 'shop_list_keys', effect: 'reads' },
});

export const createApiKey = endpoint({
  id: 'createApiKey',
  host: 'shop',
  method: 'POST',
  path: `${PATH}/keys`,
  params,
  access,
  body: z
    .object({
      name: line(255, 1),
      abilities: orNull(z.array(z.enum(ABILITIES)).min(1).max(ABILITIES.length)),
      product_id: orNull(bodyInteger({ minimum: 1 })),
      expires_at: orNull(bodyInstant),
    })
    .meta({ id: 'ShopKeyBody' }),
  output: made,
  refusals,
  tool: { name: 'shop_create_key', effect: 'adds' },
});

export const revokeApiKey = endpoint({
  id: 'revokeApiKey',
  host: 'shop',
  method: 'POST',
  path: '/api/shop/keys/{key}/revocation',
  params: z.object({ key: pathId('id of the key') }),
  access,
  output: one,
  refusals,
  tool: { name: 'shop_revoke_key', effect: 'destroys' },
});
