import { createApiKey, listApiKeys, revokeApiKey, revokeLeakedKey } from '../../../../application/access/api-keys.ts';
import { checkShutOut } from '../../../../application/access/members.ts';
import {
  addAccount,
  eraseAccount,
  findAccount,
  limitAccount,
  listAccounts,
  mergeAccounts,
  renameAccount,
  showAccount,
  suspendAccount,
} from '../../../../application/accounts/accounts.ts';
import { findProduct } from '../../../../application/catalog/shop-products.ts';
import {
  listAccountDevices,
  releaseAccountDevice,
  restoreDevice,
  withdrawDevice,
} from '../../../../application/devices/account-devices.ts';
import { grantEntitlement } from '../../../../application/licensing/access.ts';
import { extendGrant, listGrants, revokeGrant } from '../../../../application/licensing/grants.ts';
import {
  type MadeLicenseKey,
  type MailLicenseKey,
  makeLicenseKey,
} from '../../../../application/licensing/license-keys.ts';
import { transferGrant } from '../../../../application/licensing/transfer.ts';
import { changeTrial, showTrials } from '../../../../application/licensing/trials.ts';
import { endOtherSessions } from '../../../../application/sign-in/sessions.ts';
import { createSignInLink, type MailSignInLink } from '../../../../application/sign-in/sign-in-links.ts';
import { listWaysIn, lockOut } from '../../../../application/sign-in/ways-in.ts';
import { inviteToTeam, listTeams, removeFromTeam } from '../../../../application/teams/teams.ts';
import type { ApiKey, KeyInput } from '../../../../domain/access/api-key.ts';
import { checkGiven } from '../../../../domain/access/principal.ts';
import { composedId, deviceView } from '../../../../domain/devices/seat.ts';
import { GRANTS } from '../../../../domain/licensing/grant-change.ts';
import { type Outcome, ok, refuse } from '../../../../domain/shared/outcome.ts';
import type { BodyOf } from '../../../../ports/inbound/endpoint.ts';
import * as shopAccounts from '../../../../ports/inbound/shop/accounts.ts';
import { handlingWith } from '../handling.ts';
import { BY_ID, idOf, mailedLink, oneMore, openAccount, openKey, page, present, read, write } from './answers.ts';

const NO_MAIL = refuse('mail_off', {
  message:
    'Your role has sign-in links mailed, and this shop sends no mail; a token of the role everything gets the link.',
});
const NO_KEY_MAIL = refuse('mail_off', { message: 'This service sends no mail; leave out mail.' });

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

const keyInputOf = (
  account: number | null,
  { abilities, device, ...body }: BodyOf<typeof shopAccounts.createApiKey>,
): KeyInput => ({
  account_id: idOf(account),
  ...body,
  ...(abilities && { abilities }),
  ...(device && {
    device: { client: device.client, device: { device_id: composedId(device.device_id), name: device.name } },
  }),
});

/** A key without its value for a buyer who has it; nothing of one that is mailed. */
type LicenseKeyAnswer = MadeLicenseKey | { readonly key: null; readonly value: null };

/** Null if the store sends no mail. */
type WithMail = { readonly mailSignInLink: MailSignInLink | null; readonly mailLicenseKey: MailLicenseKey | null };

export const shopAccountsHandlers = handlingWith<WithMail>()(
  shopAccounts,
  {
    listAccounts,
    findAccount,
    addAccount,
    changeTrial,
    checkShutOut,
    showAccount,
    showTrials,
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
    revokeLeakedKey,
    endOtherSessions,
    findProduct,
    inviteToTeam,
    listTeams,
    listWaysIn,
    lockOut,
    makeLicenseKey,
    mergeAccounts,
    removeFromTeam,
    restoreDevice,
    transferGrant,
    withdrawDevice,
  },
  (use) => ({
    listAccounts: async ({ query }) =>
      ok(
        page(
          query,
          { ...BY_ID, highestFirst: query.newest ?? false },
          openAccount,
        )(await use.listAccounts(oneMore(query))),
      ),
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
      if (caller.kind === 'member' || caller.role !== 'everything') {
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
    grantEntitlement: async ({ params, body: { edition, features, metadata, ...body } }) =>
      write((permit) => {
        const terms = present({ edition, features, metadata });
        return use.grantEntitlement(permit, { account_id: idOf(params.account), ...body, ...terms });
      }),
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
    transferGrant: async ({ params, body: { email, trial } }) =>
      write(
        (permit) =>
          use.transferGrant(permit, { from: idOf(params.account), id: idOf(params.id), email, trial: trial ?? false }),
        ({ into: account_id, entitlements, ...moved }) => ({
          ...moved,
          account_id,
          entitlements: entitlements.map((one) => one.id),
        }),
      ),
    // A count is read by adding 0, so the guards come first.
    showTrials: async ({ params, query }) =>
      write(() => use.showTrials(params.named, query.device_id && composedId(query.device_id))),
    changeTrial: async ({ params, body }) =>
      write((permit) => use.changeTrial(permit, { device_id: composedId(params.device_id), ...body })),
    listAccountTeams: ({ params }) =>
      read(use.listTeams(idOf(params.account)), ({ own }) => ({
        teams: own.map(({ product, ...team }) => ({ ...team, slug: product.slug })),
      })),
    inviteToAccountTeam: async ({ params, body: { product: named, email, role } }) =>
      write(async (permit) => {
        const product = await use.findProduct(named);
        if (!product.ok) return product;
        const team = { account_id: idOf(params.account), owner_id: null, product: product.value };
        const begun = await use.inviteToTeam({ ...team, email, role: role ?? 'member', locale: null });
        return typeof begun === 'function' ? begun({ permit }) : begun;
      }),
    removeFromAccountTeam: async ({ params, body: { product: named, person_id } }) =>
      write(async (permit) => {
        const product = await use.findProduct(named);
        if (!product.ok) return product;
        const team = { account_id: idOf(params.account), owner_id: null, product: product.value };
        const begun = await use.removeFromTeam({ ...team, person_id });
        return typeof begun === 'function' ? begun({ permit }) : begun;
      }),
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
    listApiKeys: ({ params, query }) =>
      read(
        use.listApiKeys(idOf(params.account)),
        page(query, BY_ID, (key: ApiKey) => openKey(key)),
      ),
    createApiKey: async ({ caller, params, body }) =>
      write(
        async (permit) => {
          const may = checkGiven(caller.role, body.abilities ?? []);
          return may.ok ? use.createApiKey(permit, keyInputOf(params.account, body)) : may;
        },
        ({ value, key, replaced }) => ({ value, key: openKey(key), replaced: replaced && openKey(replaced) }),
      ),
    listWaysIn: ({ params }) => read(use.listWaysIn(idOf(params.account)), (ways_in) => ({ ways_in })),
    lockOut: async ({ caller, params, body }) =>
      write(
        async (permit) => {
          const may = await use.checkShutOut(caller.role, idOf(params.account));
          if (!may.ok) return may;
          return body.trial ? use.listWaysIn(idOf(params.account)) : use.lockOut(permit, idOf(params.account));
        },
        (ended) => ({ ended }),
      ),
    mergeAccounts: async ({ params, body: { into, trial } }) =>
      write(
        (permit) => use.mergeAccounts(permit, { from: idOf(params.account), into, trial: trial ?? false }),
        (moves) => ({ moves }),
      ),
    withdrawDevice: async ({ params, body }) =>
      write((permit) => use.withdrawDevice(permit, { ...params, ...body, trial: body.trial ?? false })),
    restoreDevice: async ({ params, body }) => write((permit) => use.restoreDevice(permit, { ...params, ...body })),
    createLicenseKey: async ({ params, body: { product: named, mail } }) =>
      write(
        async (permit): Promise<Outcome<LicenseKeyAnswer, string>> => {
          const product = await use.findProduct(named);
          if (!product.ok) return product;
          const input = { account_id: idOf(params.account), product_id: product.value.id, keep: true };
          if (!mail) return use.makeLicenseKey(permit, input);
          const mailed = (await use.mailLicenseKey?.(permit, input)) ?? NO_KEY_MAIL;
          return mailed.ok ? ok({ value: null, key: null }) : mailed;
        },
        ({ value, key }) => ({ value, key: key && openKey(key) }),
      ),
    revokeLeakedKey: async ({ body }) => write((permit) => use.revokeLeakedKey(permit, body.key), openKey),
    revokeApiKey: async ({ params }) => write((permit) => use.revokeApiKey(permit, idOf(params.key)), openKey),
  }),
);
