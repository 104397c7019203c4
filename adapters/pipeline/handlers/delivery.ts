import type { CheckUpdate } from '../../../application/delivery/check-update.ts';
import type { DownloadRelease } from '../../../application/delivery/download-release.ts';
import type { ListReleases } from '../../../application/delivery/list-releases.ts';
import type { OpenBundle } from '../../../application/delivery/open-bundle.ts';
import type { PlanInstall } from '../../../application/delivery/plan-install.ts';
import type { ShowAppcast } from '../../../application/delivery/show-appcast.ts';
import type { ShowSupply } from '../../../application/delivery/show-supply.ts';
import { type AccountPrincipal, type Anyone, keyOf } from '../../../domain/access/principal.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = {
  readonly listReleases: ListReleases;
  readonly checkUpdate: CheckUpdate;
  readonly planInstall: PlanInstall;
  readonly openBundle: OpenBundle;
  readonly showSupply: ShowSupply;
  readonly showAppcast: ShowAppcast;
  readonly downloadRelease: DownloadRelease;
};

export type Answered =
  | 'downloadBundle'
  | 'listReleases'
  | 'getUpdate'
  | 'planInstall'
  | 'getDownloadPipeline'
  | 'getAppcast'
  | 'downloadRelease';

/** The asking account; null for an anonymous caller. */
const askingWith = (caller: AccountPrincipal | Anyone) =>
  caller.kind === 'account' ? { accountId: caller.account_id, scope: caller, key: keyOf(caller) } : null;

export const deliveryHandlers = (use: UseCases): HandlersOf<Answered> => ({
  downloadBundle: ({ caller, product, access, permit }) =>
    use.openBundle({ accountId: caller.account_id, product, access, permit }),
  listReleases: async ({ product, query, locale }) =>
    ok(await use.listReleases({ product, channel: query.channel, locale })),
  getUpdate: ({ product, access, query, locale }) => use.checkUpdate({ product, access, locale, ...query }),
  planInstall: ({ product, access, query, locale }) => use.planInstall({ product, access, wish: query, locale }),
  getDownloadPipeline: async ({ locale }) => ok(await use.showSupply({ locale })),
  getAppcast: ({ caller, params, query }) =>
    use.showAppcast({ asking: askingWith(caller), productId: params.id, channel: query.channel }),
  downloadRelease: ({ caller, params, query }) =>
    use.downloadRelease({ asking: askingWith(caller), releaseId: params.release, ...query }),
});
