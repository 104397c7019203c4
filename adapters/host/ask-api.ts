import type { ReceivedFile } from '../../application/shared/files.ts';
import type { AccountPrincipal, MemberPrincipal } from '../../domain/access/principal.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import { ownerOf } from '../../domain/access/rate-limit.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { saveSetupProgress } from '../../ports/inbound/api/catalog.ts';
import { planInstall } from '../../ports/inbound/api/delivery.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { AnswerOf } from '../../ports/inbound/endpoints.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { RawInput } from '../pipeline/input.ts';
import type { Invoker } from '../pipeline/invoke.ts';

/** The signed-in account or member, its IP address, and the rate verdict of its request, which is already counted. */
export type PageCaller = {
  readonly principal: AccountPrincipal | MemberPrincipal;
  readonly address: () => string;
  readonly rate: RateVerdict;
};

type Input = Partial<Pick<RawInput, 'locale' | 'params' | 'query'>> & {
  readonly body?: unknown;
  readonly files?: Readonly<Record<string, ReceivedFile | null>>;
};

/** Calls an endpoint of an API, so a page passes the same guards as every client. */
const ask = async <A>(
  invoker: Invoker,
  endpoint: EndpointSpec,
  { principal, address, rate }: PageCaller,
  { body: fields = null, files = {}, ...input }: Input,
): Promise<Outcome<A, RefusalCode>> => {
  const caller = { principal, address, owner: ownerOf(principal, address), counted: Promise.resolve(rate) };
  const body = { isCostly: false, read: async () => ok({ fields, files }) };
  const raw: RawInput = { params: {}, query: {}, locale: 'en', ...input, body };
  const { outcome } = await invoker.invoke(endpoint, raw, caller);
  return outcome as Outcome<A, RefusalCode>;
};

type Asks = { readonly invoker: Invoker };

/** The query of an install plan, as the API accepts it. */
type InstallQuery = Readonly<Record<'product' | 'platform' | 'release', string | undefined>>;

export const askInstallPlan =
  ({ invoker }: Asks) =>
  async (caller: PageCaller, { product, ...query }: InstallQuery) => {
    const plan = await ask<AnswerOf<'planInstall'>>(invoker, planInstall, caller, { params: { product }, query });
    return plan.ok ? ok(plan.value.data) : plan;
  };

export const saveSetup =
  ({ invoker }: Asks) =>
  (caller: PageCaller, product: string, completed_step_indexes: readonly number[]) =>
    ask(invoker, saveSetupProgress, caller, { params: { product }, body: { completed_step_indexes } });

/** Calls an endpoint of the shop host for a member. */
export const askShop =
  ({ invoker }: Asks) =>
  <A>(caller: PageCaller, endpoint: EndpointSpec, input: Input): Promise<Outcome<A, RefusalCode>> =>
    ask<A>(invoker, endpoint, caller, input);

export type AskShop = ReturnType<typeof askShop>;
