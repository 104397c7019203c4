import { APPS } from '../../../../domain/collect/run.ts';
import { appId } from '../../../../domain/gallery/screen.ts';
import type { Paths } from '../paths.ts';
import { appsView, appView } from '../views/apps.ts';

/** The apps, and each with its flows. */
export const addAppPages = (paths: Paths): void => {
  const { listApps, showApp } = paths.parts;

  paths.page('/apps', async () => {
    const apps = await listApps();
    const found = apps.filter(({ screens }) => screens > 0);
    return (page) => appsView(page, found);
  });

  paths.page('/apps/:slug', async ({ params }) => {
    const slug = APPS.find((one) => one === params['slug']);
    const app = await showApp(slug === undefined ? null : appId(slug));
    if (!app.ok || app.value.screens === 0) return null;
    return (page) => appView(page, app.value);
  });
};
