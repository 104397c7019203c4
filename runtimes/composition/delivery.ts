import { appcastWriter } from '../../adapters/appcast/late-appcast-xml.ts';
import { CheckUpdate } from '../../application/delivery/check-update.ts';
import { DownloadRelease } from '../../application/delivery/download-release.ts';
import { ListReleases } from '../../application/delivery/list-releases.ts';
import { OpenBundle } from '../../application/delivery/open-bundle.ts';
import { PlanInstall } from '../../application/delivery/plan-install.ts';
import { ReleaseTickets } from '../../application/delivery/release-tickets.ts';
import { ShowAppcast } from '../../application/delivery/show-appcast.ts';
import { ShowPipeline } from '../../application/delivery/show-pipeline.ts';
import { areaModule, type Overrides } from './binder.ts';

export const delivery = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('listReleases', ListReleases, ({ releases, versions }) => ({ releases, versions }))
      .part('checkUpdate', CheckUpdate, ({ releases, versions, links }) => ({ releases, versions, links }))
      .part('showPipeline', ShowPipeline, ({ catalogs, releases, versions }) => ({ catalogs, releases, versions }))
      .part('planInstall', PlanInstall, ({ releases, versions, objects, clock }) => ({
        releases,
        versions,
        objects,
        clock,
      }))
      .part('openBundle', OpenBundle, ({ releases, versions, objects }) => ({ releases, versions, objects }))
      .made('appcastWriter', [], () => appcastWriter)
      .part('releaseTickets', ReleaseTickets, ({ licenseSigner, links, clock }) => ({ licenseSigner, links, clock }))
      .part('showAppcast', ShowAppcast, (part) => ({
        catalogs: part.catalogs,
        releases: part.releases,
        readAccess: part.readAccess,
        releaseTickets: part.releaseTickets,
        appcastWriter: part.appcastWriter,
        links: part.links,
      }))
      .part('downloadRelease', DownloadRelease, (part) => ({
        catalogs: part.catalogs,
        releases: part.releases,
        readAccess: part.readAccess,
        releaseTickets: part.releaseTickets,
        objects: part.objects,
        clock: part.clock,
      })),
  );
