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
import { bothSteps } from '../../../../application/shared/steps.ts';
import { endOtherSessions } from '../../../../application/sign-in/sessions.ts';
import { createSignInLink, type MailSignInLink } from '../../../../application/sign-in/sign-in-links.ts';
import { listWaysIn, lockOut } from '../../../../application/sign-in/ways-in.ts';
import { inviteToTeam, listTeams, removeFromTeam } from '../../../../application/teams/teams.ts';
import type { ApiKey, KeyInput } from '../../../../domain/access/api-key.ts';
import { checkGiven } from '../../../../domain/access/principal.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { composedId, deviceView } from '../../../../domain/devices/seat.ts';
import { GRANTS } from '../../../../domain/licensing/grant-change.ts';
import { type Outcome, ok, refuse } from '../../../../domain/shared/outcome.ts';
import type { BodyOf } from '../../../../ports/inbound/endpoint.ts';
import * as shopAccounts from '../../../../ports/inbound/shop/accounts.ts';
import { handlingWith } from '../handling.ts';
import { BY_ID, mailedLink, NEWEST, oneMore, openAccount, openKey, page, present, read, write } from './answers.ts';
import { listing, reading, writing } from './shop-handling.ts';

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

const openly = <R extends string>({ account, result }: { readonly account: Account; readonly result: R }) => ({
  account: openAccount(account),
  result,
});

const keyInputOf = (
  account: number,
  { abilities, device, ...body }: BodyOf<typeof shopAccounts.createApiKey>,
): KeyInput => ({
  account_id: account,
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
    addAccount,
    changeTrial,
    checkShutOut,
    createApiKey,
    createSignInLink,
    endOtherSessions,
    eraseAccount,
    extendGrant,
    findAccount,
    findProduct,
    grantEntitlement,
    inviteToTeam,
    limitAccount,
    listAccountDevices,
    listAccounts,
    listApiKeys,
    listGrants,
    listTeams,
    listWaysIn,
    lockOut,
    makeLicenseKey,
    mergeAccounts,
    releaseAccountDevice,
    removeFromTeam,
    renameAccount,
    restoreDevice,
    revokeApiKey,
    revokeGrant,
    revokeLeakedKey,
    showAccount,
    showTrials,
    suspendAccount,
    transferGrant,
    withdrawDevice,
  },
  (use) => ({
    listAccounts: async ({ query }) =>
      ok(page(query, query.newest ? NEWEST : BY_ID, openAccount)(await use.listAccounts(oneMore(query)))),
    listGrants: listing(use.listGrants, GRANTS),
    listApiKeys: listing(use.listApiKeys, BY_ID, (key: ApiKey) => openKey(key)),
    listAccountDevices: reading(use.listAccountDevices),
    suspendAccount: writing(use.suspendAccount, openly),
    limitAccount: writing(use.limitAccount, ({ account, isChanged }) =>
      openly({ account, result: isChanged ? 'limited' : 'unchanged' }),
    ),
    eraseAccount: writing(use.eraseAccount),
    revokeGrant: writing(use.revokeGrant),
    withdrawDevice: writing(use.withdrawDevice),
    restoreDevice: writing(use.restoreDevice),
    releaseAccountDevice: writing(use.releaseAccountDevice, ({ keys, device, ...released }) => ({
      ...released,
      device: device && deviceView(device),
      keys: keys.map(openKey),
    })),
    revokeLeakedKey: writing(use.revokeLeakedKey, openKey),
    revokeApiKey: writing(use.revokeApiKey, openKey),
    findAccount: ({ body }) => read(use.findAccount(body.account), (account_id) => ({ account_id })),
    addAccount: async ({ body }) => write((permit) => use.addAccount(permit, { ...body, password: null }), openAccount),
    showAccount: ({ params }) => read(use.showAccount(String(params.account))),
    renameAccount: async ({ params, body }) =>
      write((permit) => use.renameAccount(permit, { account_id: params.account, ...present(body) }), openly),
    createSignInLink: async ({ caller, params }) => {
      const { account } = params;
      if (caller.kind === 'member' || caller.role !== 'everything') {
        return write(async (permit) => (await use.mailSignInLink?.(permit, account)) ?? NO_MAIL, mailedLink);
      }
      return write(
        (permit) => use.createSignInLink(permit, account),
        ({ code, expires_at }) => ({ url: use.links.signInLink(code), expires_at, mailed_to: null }),
      );
    },
    grantEntitlement: async ({ params, body: { edition, features, metadata, ...body } }) =>
      write((permit) => {
        const terms = present({ edition, features, metadata });
        return use.grantEntitlement(permit, { account_id: params.account, ...body, ...terms });
      }),
    extendGrant: async ({ params: { account: account_id, id }, body }) =>
      write((permit) => use.extendGrant(permit, { account_id, id, extension: extensionOf(body) })),
    transferGrant: async ({ params: { account: from, id }, body }) =>
      write(
        (permit) => use.transferGrant(permit, { from, id, ...body }),
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
      read(use.listTeams(params.account), ({ own }) => ({
        teams: own.map(({ product, ...team }) => ({ ...team, slug: product.slug })),
      })),
    inviteToAccountTeam: async ({ params: { account: account_id }, body }) =>
      write(async (permit) => {
        const product = await use.findProduct(body.product);
        if (!product.ok) return product;
        const input = { ...body, account_id, owner_id: null, product: product.value };
        return bothSteps(permit, use.inviteToTeam({ ...input, role: body.role ?? 'member', locale: null }));
      }),
    removeFromAccountTeam: async ({ params: { account: account_id }, body }) =>
      write(async (permit) => {
        const product = await use.findProduct(body.product);
        if (!product.ok) return product;
        const input = { ...body, account_id, owner_id: null, product: product.value };
        return bothSteps(permit, use.removeFromTeam(input));
      }),
    createApiKey: async ({ caller, params, body }) =>
      write(
        async (permit) => {
          const may = checkGiven(caller.role, body.abilities ?? []);
          return may.ok ? use.createApiKey(permit, keyInputOf(params.account, body)) : may;
        },
        ({ value, key, replaced }) => ({ value, key: openKey(key), replaced: replaced && openKey(replaced) }),
      ),
    listWaysIn: ({ params }) => read(use.listWaysIn(params.account), (ways_in) => ({ ways_in })),
    lockOut: async ({ caller, params, body }) =>
      write(
        async (permit) => {
          const may = await use.checkShutOut(caller.role, params.account);
          if (!may.ok) return may;
          return body.trial ? use.listWaysIn(params.account) : use.lockOut(permit, params.account);
        },
        (ended) => ({ ended }),
      ),
    mergeAccounts: async ({ params, body }) =>
      write(
        (permit) => use.mergeAccounts(permit, { from: params.account, ...body }),
        (moves) => ({ moves }),
      ),
    createLicenseKey: async ({ params, body: { product: named, mail } }) =>
      write(
        async (permit): Promise<Outcome<LicenseKeyAnswer, string>> => {
          const product = await use.findProduct(named);
          if (!product.ok) return product;
          const input = { account_id: params.account, product_id: product.value.id, keep: true };
          if (!mail) return use.makeLicenseKey(permit, input);
          const mailed = (await use.mailLicenseKey?.(permit, input)) ?? NO_KEY_MAIL;
          return mailed.ok ? ok({ value: null, key: null }) : mailed;
        },
        ({ value, key }) => ({ value, key: key && openKey(key) }),
      ),
  }),
);
