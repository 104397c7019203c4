import { NO_FILTER, type ScreenCard, type ScreenFilter } from '../../../../domain/gallery/screen.ts';
import { addressInAnyLanguage } from '../../../../domain/gallery/variants.ts';
import { plainAddress } from '../../../../domain/gallery/words.ts';
import type { Paths } from '../paths.ts';
import { savedPageView, screenView } from '../views/screen.ts';

/** An id in an address; null where it names nothing. */
const idIn = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);

/** By their steps; screens without one come last, in the order in which they were seen. */
const inFlowOrder = (a: ScreenCard, b: ScreenCard): number =>
  (a.step ?? Number.MAX_SAFE_INTEGER) - (b.step ?? Number.MAX_SAFE_INTEGER) || a.id - b.id;

/** The page of one screen, and that of its saved page. */
export const addScreenPages = (paths: Paths): void => {
  const { searchScreens, showScreen, showTaxonomy } = paths.parts;

  paths.page('/screens/:id', async ({ params: { id = '' } }) => {
    const [shown, taxonomy] = await Promise.all([showScreen(idIn(id)), showTaxonomy()]);
    if (!shown.ok) return null;
    const screen = shown.value;
    const { app, viewport, lang, mode, url } = screen;
    const filter = { ...NO_FILTER, app, flow: screen.flow.slug };
    const search = async (more: Partial<ScreenFilter>) =>
      (await searchScreens({ filter: { ...filter, ...more }, order: 'oldest', cols: 8, page: 1 })).screens;
    const [flow, alike] = await Promise.all([
      search({ viewport, lang, mode }),
      search({ q: plainAddress(addressInAnyLanguage(url)) }),
    ]);
    return (page) => screenView(page, { screen, taxonomy, inFlow: flow.toSorted(inFlowOrder), alike });
  });

  paths.page('/screens/:id/saved', async ({ params: { id = '' } }) => {
    const shown = await showScreen(idIn(id));
    return shown.ok && shown.value.page !== null ? (page) => savedPageView(page, shown.value) : null;
  });
};
