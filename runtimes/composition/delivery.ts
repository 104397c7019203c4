import { CheckUpdate } from '../../application/delivery/check-update.ts';
import { ListReleases } from '../../application/delivery/list-releases.ts';
import { OpenBundle } from '../../application/delivery/open-bundle.ts';
import { PlanInstall } from '../../application/delivery/plan-install.ts';
import { areaModule, type Overrides } from './binder.ts';

export const delivery = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('listReleases', ListReleases, ({ releases, versions }) => ({ releases, versions }))
      .part('checkUpdate', CheckUpdate, ({ releases, versions, links }) => ({ releases, versions, links }))
      .part('planInstall', PlanInstall, ({ releases, versions, objects, clock }) => ({
        releases,
        versions,
        objects,
        clock,
      }))
      .part('openBundle', OpenBundle, ({ releases, versions, objects }) => ({ releases, versions, objects })),
  );
