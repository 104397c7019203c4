import { bodyAtHand, type RawInput } from '../../adapters/pipeline/input.ts';
import type { Invoker } from '../../adapters/pipeline/invoke.ts';
import type { AccountPagesParts, Asking } from '../../adapters/web/account/parts.ts';
import { settled } from '../../application/shared/settled.ts';
import { ownerOf } from '../../domain/access/principal.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { saveSetupProgress } from '../../ports/inbound/api/catalog.ts';
import { planInstall } from '../../ports/inbound/api/delivery.ts';
import type { AnswerOf } from '../../ports/inbound/documentation/documentation.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { Service } from './service.ts';

/** The parts of a service from which those of the pages are made. */
export type PagesSources = Omit<AccountPagesParts, 'askInstallPlan' | 'saveSetup'> & { readonly invoker: Invoker };

type AskedInput = Pick<RawInput, 'params'> & { readonly query?: RawInput['query']; readonly body?: unknown };

/** Asks an endpoint, so that the pages pass the gates that every client passes. The page's request was counted. */
const asking =
  (invoker: Invoker) =>
  async <A>(endpoint: EndpointSpec, { principal, address, rate }: Asking, { body, ...input }: AskedInput) => {
    const counted = { owner: ownerOf(principal, address), verdict: settled(Promise.resolve(rate)) };
    const raw = { query: {}, ...input, body: bodyAtHand(body ?? null), locale: 'en' as const };
    const { outcome } = await invoker.invoke(endpoint, raw, { principal, address, counted });
    return outcome as Outcome<A, RefusalCode>;
  };

const askedParts = (invoker: Invoker): Pick<AccountPagesParts, 'askInstallPlan' | 'saveSetup'> => {
  const ask = asking(invoker);
  return {
    askInstallPlan: async (from, { product, ...query }) => {
      const plan = await ask<AnswerOf<'planInstall'>>(planInstall, from, { params: { product }, query });
      return plan.ok ? ok(plan.value.data) : plan;
    },
    saveSetup: (from, product, completed_step_indexes) =>
      ask(saveSetupProgress, from, { params: { product }, body: { completed_step_indexes } }),
  };
};

/** The parts of a service that the account host's pages call. */
export const accountPagesParts = ({ get }: Service<PagesSources>): AccountPagesParts => ({
  accounts: get('accounts'),
  askForLink: get('askForLink'),
  ...askedParts(get('invoker')),
  beginUpstreamSignIn: get('beginUpstreamSignIn'),
  catalogs: get('catalogs'),
  checkLicense: get('checkLicense'),
  clock: get('clock'),
  createApiKey: get('createApiKey'),
  dailyBounds: get('dailyBounds'),
  decideDeviceSignIn: get('decideDeviceSignIn'),
  disconnectApp: get('disconnectApp'),
  endOtherSessions: get('endOtherSessions'),
  endOwnSession: get('endOwnSession'),
  endSession: get('endSession'),
  findDeviceSignIn: get('findDeviceSignIn'),
  findReplacedKey: get('findReplacedKey'),
  findSession: get('findSession'),
  finishUpstreamSignIn: get('finishUpstreamSignIn'),
  limitRate: get('limitRate'),
  listApiKeys: get('listApiKeys'),
  keyQuota: get('keyQuota'),
  listConnectedApps: get('listConnectedApps'),
  listOwnDevices: get('listOwnDevices'),
  listOwnTickets: get('listOwnTickets'),
  listPurchases: get('listPurchases'),
  listSessions: get('listSessions'),
  makeLicenseKey: get('makeLicenseKey'),
  peekSignInLink: get('peekSignInLink'),
  releaseDevice: get('releaseDevice'),
  rememberBrowser: get('rememberBrowser'),
  revokeOwnKey: get('revokeOwnKey'),
  setPassword: get('setPassword'),
  signInMethods: get('signInMethods'),
  signInWithPassword: get('signInWithPassword'),
  useSignInLink: get('useSignInLink'),
});
