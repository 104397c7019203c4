import { appcastWriter } from '../../../adapters/appcast/late-appcast-xml.ts';
import { deliveryHandlers } from '../../../adapters/pipeline/handlers/delivery.ts';
import { checkUpdate } from '../../../application/delivery/check-update.ts';
import { downloadRelease } from '../../../application/delivery/download-release.ts';
import { listReleases } from '../../../application/delivery/list-releases.ts';
import { openBundle } from '../../../application/delivery/open-bundle.ts';
import { planInstall } from '../../../application/delivery/plan-install.ts';
import { releaseTickets } from '../../../application/delivery/release-tickets.ts';
import { showAppcast } from '../../../application/delivery/show-appcast.ts';
import { showSupply } from '../../../application/delivery/show-supply.ts';
import * as apiDelivery from '../../../ports/inbound/api/delivery.ts';
import * as appDelivery from '../../../ports/inbound/app/delivery.ts';
import type { AppcastWriter } from '../../../ports/outbound/appcast-writer.ts';

/** Releases, install plans, downloads and feeds. */
export const delivery = {
  parts: {
    listReleases,
    checkUpdate,
    showSupply,
    planInstall,
    openBundle,
    appcastWriter: (): AppcastWriter => appcastWriter,
    releaseTickets,
    showAppcast,
    downloadRelease,
  },
  endpoints: { ...apiDelivery, ...appDelivery },
  handlers: deliveryHandlers,
};
