import type { DownloadRelease } from '../../../application/delivery/download-release.ts';
import type { ShowAppcast } from '../../../application/delivery/show-appcast.ts';
import type { HandlersOf } from '../call.ts';
import { idIn } from '../input.ts';

export type DistributionUseCases = { showAppcast: ShowAppcast; downloadRelease: DownloadRelease };

export const distributionHandlers = (use: DistributionUseCases): HandlersOf<'getAppcast' | 'downloadRelease'> => ({
  getAppcast: ({ key, path, query }) =>
    use.showAppcast.execute({ key, productId: idIn(path.id), channel: query.channel }),
  downloadRelease: ({ key, path, query }) =>
    use.downloadRelease.execute({ key, releaseId: idIn(path.release), ...query }),
});
