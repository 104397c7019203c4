import { appcastWriter } from '../../../adapters/appcast/late-appcast-xml.ts';
import { deliveryHandlers } from '../../../adapters/pipeline/handlers/delivery.ts';
import { CheckUpdate } from '../../../application/delivery/check-update.ts';
import { DownloadRelease } from '../../../application/delivery/download-release.ts';
import { ListReleases } from '../../../application/delivery/list-releases.ts';
import { OpenBundle } from '../../../application/delivery/open-bundle.ts';
import { PlanInstall } from '../../../application/delivery/plan-install.ts';
import { ReleaseTickets } from '../../../application/delivery/release-tickets.ts';
import { ShowAppcast } from '../../../application/delivery/show-appcast.ts';
import { ShowSupply } from '../../../application/delivery/show-supply.ts';
import * as apiDelivery from '../../../ports/inbound/api/delivery.ts';
import * as appDelivery from '../../../ports/inbound/app/delivery.ts';
import type { AppcastWriter } from '../../../ports/outbound/appcast-writer.ts';
import { part } from '../area.ts';

/** Releases, install plans, downloads and feeds. */
export const delivery = {
  parts: {
    listReleases: part(ListReleases),
    checkUpdate: part(CheckUpdate),
    showSupply: part(ShowSupply),
    planInstall: part(PlanInstall),
    openBundle: part(OpenBundle),
    appcastWriter: (): AppcastWriter => appcastWriter,
    releaseTickets: part(ReleaseTickets),
    showAppcast: part(ShowAppcast),
    downloadRelease: part(DownloadRelease),
  },
  endpoints: { ...apiDelivery, ...appDelivery },
  handlers: deliveryHandlers,
};
