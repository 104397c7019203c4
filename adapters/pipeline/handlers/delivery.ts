import { downloadRelease, openUpdateFile, showAppcast, showTauriUpdate } from '../../../application/delivery/feeds.ts';
import { checkUpdate, listReleases, openBundle, planInstall } from '../../../application/delivery/offers.ts';
import { showSupply } from '../../../application/delivery/show-supply.ts';
import { type AccountPrincipal, type Anyone, keyOf } from '../../../domain/access/principal.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiDelivery from '../../../ports/inbound/api/delivery.ts';
import * as appDelivery from '../../../ports/inbound/app/delivery.ts';
import { handling } from './handling.ts';

/** The asking account; null for an anonymous caller. */
const feedCaller = (caller: AccountPrincipal | Anyone) =>
  caller.kind === 'account' ? { account_id: caller.account_id, scope: caller, key: keyOf(caller) } : null;

export const deliveryHandlers = handling(
  { ...apiDelivery, ...appDelivery },
  {
    listReleases,
    checkUpdate,
    showSupply,
    planInstall,
    openBundle,
    showAppcast,
    downloadRelease,
    openUpdateFile,
    showTauriUpdate,
  },
  (use) => ({
    downloadBundle: ({ account_id, product, query }) => use.openBundle({ account_id, product, ...query }),
    listReleases: async ({ product, query, locale }) => ok(await use.listReleases({ product, locale, ...query })),
    getUpdate: ({ product, query, locale }) => use.checkUpdate({ product, locale, ...query }),
    planInstall: (call) => use.planInstall(call),
    getDownloadPipeline: async (call) => ok(await use.showSupply(call)),
    getAppcast: ({ caller, params, query }) =>
      use.showAppcast({ caller: feedCaller(caller), product_id: params.id, channel: query.channel }),
    openUpdateFile: ({ caller, params: { id, file }, query }) =>
      use.openUpdateFile({ caller: feedCaller(caller), product_id: id, file, ...query }),
    getTauriUpdate: ({ caller, params: { id, installed, ...client }, query: { channel } }) =>
      use.showTauriUpdate({ caller: feedCaller(caller), product_id: id, ...client, version: installed, channel }),
    downloadRelease: ({ caller, params, query }) =>
      use.downloadRelease({ caller: feedCaller(caller), release_id: params.release, ...query }),
  }),
);
