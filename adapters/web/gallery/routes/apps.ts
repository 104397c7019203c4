import { APPS } from '../../../../domain/collect/run.ts';
import type { Paths } from '../paths.ts';
import { appsView, appView } from '../views/apps.ts';

/** The apps, and each with its flows. */
export const addAppPages = (paths: Paths): void => {
  const { apps, app } = paths.parts;

  paths.page('/apps', async () => {
    const found = await apps();
    return (page) => appsView(page, found);
  });

  paths.page('/apps/:slug', async ({ params }) => {
    const slug = APPS.find((one) => one === params['slug']);
    const found = slug === undefined ? null : await app(slug);
    return found && ((page) => appView(page, found));
  });
};
