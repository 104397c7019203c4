import type { ListLineages } from '../../../application/catalog/list-lineages.ts';
import type { ShowDisclosure } from '../../../application/catalog/show-disclosure.ts';
import type { ShowLineage } from '../../../application/catalog/show-lineage.ts';
import type { ShowPipeline } from '../../../application/delivery/show-pipeline.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../call.ts';

export type PublicUseCases = {
  showPipeline: ShowPipeline;
  listLineages: ListLineages;
  showLineage: ShowLineage;
  showDisclosure: ShowDisclosure;
};

type Answered = 'getDownloadPipeline' | 'listLineages' | 'getLineage' | 'getDisclosure';

export const publicHandlers = (use: PublicUseCases): HandlersOf<Answered> => ({
  getDownloadPipeline: async ({ locale }) => ok(await use.showPipeline.execute({ locale })),
  listLineages: async ({ locale }) => ok(await use.listLineages.execute({ locale })),
  getLineage: ({ path, locale }) => use.showLineage.execute({ slug: path.slug, locale }),
  getDisclosure: () => use.showDisclosure.execute(),
});
