import type { Paths } from '../paths.ts';
import { screenView } from '../views/screen.ts';

const ID = /^[1-9]\d{0,14}$/;

/** The page of one screen. */
export const addScreenPages = (paths: Paths): void => {
  const { parts } = paths;

  paths.page('/screens/:id', async ({ params }) => {
    const id = params['id'] ?? '';
    const [screen, taxonomy] = await Promise.all([ID.test(id) ? parts.screen(Number(id)) : null, parts.taxonomy()]);
    if (!screen) return null;
    const app = await parts.app(screen.app);
    const flow = app?.shown.find(({ slug }) => slug === screen.flow.slug) ?? null;
    return (page) => screenView(page, { screen, taxonomy, flow });
  });
};
