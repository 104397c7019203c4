import { createApiKey, listApiKeys, revokeApiKey } from '../../../../application/access/api-keys.ts';
import {
  addAccount,
  eraseAccount,
  findAccount,
  limitAccount,
  listAccounts,
  renameAccount,
  showAccount,
  suspendAccount,
} from '../../../../application/accounts/accounts.ts';
import { listAccountDevices, releaseAccountDevice } from '../../../../application/devices/account-devices.ts';
import { grantEntitlement } from '../../../../application/licensing/access.ts';
import { extendGrant, listGrants, revokeGrant } from '../../../../application/licensing/grants.ts';
import { createSignInLink, type MailSignInLink } from '../../../../application/sign-in/sign-in-links.ts';
import type { KeyWish } from '../../../../domain/access/api-key.ts';
import { checkGiven } from '../../../../domain/access/principal.ts';
import { composedId, deviceView } from '../../../../domain/devices/seat.ts';
import { GRANTS } from '../../../../domain/licensing/grant-change.ts';
import { ok, refuse } from '../../../../domain/shared/outcome.ts';
import type { BodyOf } from '../../../../ports/inbound/endpoint.ts';
import * as shopAccounts from '../../../../ports/inbound/shop/accounts.ts';
import { handlingWith } from '../handling.ts';
import { BY_ID, idOf, oneMore, openAccount, openKey, page, read, write } from './answers.ts';

const NO_MAIL = refuse('mail_off', {
  message:
    'Your role has sign-in links mailed, and this shop sends no mail; a token of the role everything gets the link.',
});
const mailedLink = (mailed_to: string) => ({ url: null, expires_at: null, mailed_to });

type Extension = BodyOf<typeof shopAccounts.extendGrant>;

/** The terms to extend: `never` removes the expiry, and `product` restores the product's own limit. */
const extensionOf = ({ access_expires_at: access, updates_supported_until: updates, device_limit }: Extension) => ({
  ...(access !== null && { access_expires_at: access === 'never' ? null : access }),
  ...(updates !== null && { updates_supported_until: updates === 'never' ? null : updates }),
  ...(device_limit !== null && { device_limit: device_limit === 'product' ? null : device_limit }),
});

const releaseOf = (
  { account, device_id }: { readonly account: number | null; readonly device_id: string },
  { product, revoke_keys, offline_too, trial }: BodyOf<typeof shopAccounts.releaseAccountDevice>,
) => ({
  account_id: idOf(account),
  device_id,
  product,
  revoke_keys: revoke_keys ?? false,
  offline_too: offline_too ?? false,
  trial: trial ?? false,
});

const keyWishOf = (
  account: number | null,
  { abilities, device, ...body }: BodyOf<typeof shopAccounts.createApiKey>,
): KeyWish => ({
  account_id: idOf(account),
  ...body,
  ...(abilities && { abilities }),
  ...(device && {
    device: { client: device.client, device: { device_id: composedId(device.device_id), name: device.name } },
  }),
});

/** Null if the store sends no mail. */
type WithMail = { readonly mailSignInLink: MailSignInLink | null };

/** Buyers, their grants, devices and keys. */
export const shopAccountsHandlers = handlingWith<WithMail>()(
  shopAccounts,
  {
    listAccounts,
    findAccount,
    addAccount,
    showAccount,
    suspendAccount,
    renameAccount,
    limitAccount,
    createSignInLink,
    eraseAccount,
    listGrants,
    grantEntitlement,
    extendGrant,
    revokeGrant,
    listAccountDevices,
    releaseAccountDevice,
    listApiKeys,
    createApiKey,
    revokeApiKey,
  },
  (use) => ({
    listAccounts: async ({ query }) => ok(page(query, BY_ID, openAccount)(await use.listAccounts(oneMore(query)))),
    findAccount: ({ body }) => read(use.findAccount(body.account), (account_id) => ({ account_id })),
    addAccount: async ({ body }) => write((permit) => use.addAccount(permit, { ...body, password: null }), openAccount),
    showAccount: ({ params }) => read(use.showAccount(String(idOf(params.account)))),
    suspendAccount: async ({ params, body }) =>
      write(
        (permit) => use.suspendAccount(permit, { account_id: idOf(params.account), ...body }),
        ({ account, result }) => ({ account: openAccount(account), result }),
      ),
    renameAccount: async ({ params, body: { email, name } }) =>
      write(
        (permit) =>
          use.renameAccount(permit, {
            account_id: idOf(params.account),
            ...(email !== null && { email }),
            ...(name !== null && { name }),
          }),
        ({ account, result }) => ({ account: openAccount(account), result }),
      ),
    limitAccount: async ({ params, body }) =>
      write(
        (permit) => use.limitAccount(permit, idOf(params.account), body.requests_per_minute),
        ({ account, isChanged }) => ({
          account: openAccount(account),
          result: isChanged ? ('limited' as const) : ('unchanged' as const),
        }),
      ),
    createSignInLink: async ({ caller, params }) => {
      const account = idOf(params.account);
      if (caller.role !== 'everything') {
        return write(async (permit) => (await use.mailSignInLink?.(permit, account)) ?? NO_MAIL, mailedLink);
      }
      return write(
        (permit) => use.createSignInLink(permit, account),
        ({ code, expires_at }) => ({ url: use.links.signInLink(code), expires_at, mailed_to: null }),
      );
    },
    eraseAccount: async ({ params, body }) =>
      write((permit) => use.eraseAccount(permit, { account_id: idOf(params.account), trial: body.trial ?? false })),
    listGrants: ({ params, query }) => read(use.listGrants(idOf(params.account)), page(query, GRANTS)),
    grantEntitlement: async ({ params, body }) =>
      write((permit) => use.grantEntitlement(permit, { account_id: idOf(params.account), ...body })),
    extendGrant: async ({ params, body }) =>
      write((permit) =>
        use.extendGrant(permit, {
          account_id: idOf(params.account),
          id: idOf(params.id),
          extension: extensionOf(body),
        }),
      ),
    revokeGrant: async ({ params, body }) =>
      write((permit) =>
        use.revokeGrant(permit, {
          account_id: idOf(params.account),
          id: idOf(params.id),
          trial: body.trial ?? false,
        }),
      ),
    listAccountDevices: ({ params, query }) =>
      read(use.listAccountDevices({ account_id: idOf(params.account), ...query })),
    releaseAccountDevice: async ({ params, body }) =>
      write(
        (permit) => use.releaseAccountDevice(permit, releaseOf(params, body)),
        ({ keys, device, ...released }) => ({
          ...released,
          device: device && deviceView(device),
          keys: keys.map(openKey),
        }),
      ),
    listApiKeys: ({ params, query }) => read(use.listApiKeys(idOf(params.account)), page(query, BY_ID, openKey)),
    createApiKey: async ({ caller, params, body }) =>
      write(
        async (permit) => {
          const may = checkGiven(caller.role, body.abilities ?? []);
          return may.ok ? use.createApiKey(permit, keyWishOf(params.account, body)) : may;
        },
        ({ value, key, replaced }) => ({ value, key: openKey(key), replaced: replaced && openKey(replaced) }),
      ),
    revokeApiKey: async ({ params }) => write((permit) => use.revokeApiKey(permit, idOf(params.key)), openKey),
  }),
);
