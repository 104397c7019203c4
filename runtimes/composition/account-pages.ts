import { bodyAtHand } from '../../adapters/pipeline/input.ts';
import type { Invoker } from '../../adapters/pipeline/invoke.ts';
import type { AccountPagesParts, AskInstallPlan } from '../../adapters/web/account/parts.ts';
import { settled } from '../../application/shared/settled.ts';
import { ownerOf } from '../../domain/access/owner.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { planInstall } from '../../ports/inbound/api/delivery.ts';
import type { AnswerOf } from '../../ports/inbound/documentation/documentation.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { Service } from './service.ts';

/** The parts of a service from which those of the pages are made. */
export type PagesSources = Omit<AccountPagesParts, 'askInstallPlan'> & { readonly invoker: Invoker };

const NO_BODY = bodyAtHand(null);

/** Asks the endpoint of install plans, so that the pages' downloads pass its gates. The page's request was counted. */
const asking =
  (invoker: Invoker): AskInstallPlan =>
  async ({ principal, address, rate }, { product, ...query }) => {
    const counted = { owner: ownerOf(principal, address), verdict: settled(Promise.resolve(rate)) };
    const raw = { params: { product }, query, body: NO_BODY, locale: 'en' as const };
    const answer = await invoker.invoke(planInstall, raw, { principal, address, counted });
    const outcome = answer.outcome as Outcome<AnswerOf<'planInstall'>, RefusalCode>;
    return outcome.ok ? ok(outcome.value.data) : outcome;
  };

/** The parts of a service that the account host's pages call. */
export const accountPagesParts = ({ get }: Service<PagesSources>): AccountPagesParts => ({
  accounts: get('accounts'),
  askInstallPlan: asking(get('invoker')),
  beginUpstreamSignIn: get('beginUpstreamSignIn'),
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
  listConnectedApps: get('listConnectedApps'),
  listOwnDevices: get('listOwnDevices'),
  listOwnTickets: get('listOwnTickets'),
  listPurchases: get('listPurchases'),
  listSessions: get('listSessions'),
  peekSignInLink: get('peekSignInLink'),
  releaseDevice: get('releaseDevice'),
  rememberBrowser: get('rememberBrowser'),
  revokeOwnKey: get('revokeOwnKey'),
  setPassword: get('setPassword'),
  signInMethods: get('signInMethods'),
  signInWithPassword: get('signInWithPassword'),
  useSignInLink: get('useSignInLink'),
});
