import type { CheckUpdate } from '../../../application/delivery/check-update.ts';
import type { ListReleases } from '../../../application/delivery/list-releases.ts';
import type { OpenBundle } from '../../../application/delivery/open-bundle.ts';
import type { PlanInstall } from '../../../application/delivery/plan-install.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../call.ts';

export type DeliveryUseCases = {
  listReleases: ListReleases;
  checkUpdate: CheckUpdate;
  planInstall: PlanInstall;
  openBundle: OpenBundle;
};

type Answered = 'downloadBundle' | 'listReleases' | 'getUpdate' | 'planInstall';

export const deliveryHandlers = (use: DeliveryUseCases): HandlersOf<Answered> => ({
  downloadBundle: ({ product, access }) => use.openBundle.execute({ product, access }),
  listReleases: async ({ product, query, locale }) =>
    ok(await use.listReleases.execute({ product, channel: query.channel ?? 'stable', locale })),
  getUpdate: ({ product, access, query, locale }) =>
    use.checkUpdate.execute({ product, access, version: query.version, locale }),
  planInstall: ({ product, access, query, locale }) =>
    use.planInstall.execute({ product, access, wish: { ...query, channel: query.channel ?? 'stable' }, locale }),
});
