import * as z from 'zod';
import { MODES, PLATFORMS_SHOWN } from '../../../../domain/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../../../domain/collect/run.ts';
import { dateTime, id, nullableText } from './fields.ts';
import { pagedData } from './paging.ts';

const count = z.int().min(0);
const sha256 = z.string().meta({ description: 'lower-case hex' });
const size = count.meta({ description: 'bytes' });

const ImageData = z
  .object({
    url: z.string().meta({ description: 'needs no credential and never changes its content' }),
    sha256,
    size,
    type: z.enum(['image/png', 'image/jpeg']),
    width: z.int().meta({ description: 'pixels' }),
    height: z.int().meta({ description: 'pixels' }),
  })
  .meta({ id: 'GalleryImageData' });

const card = {
  id: id.meta({ description: 'counts up in the order in which screens were first seen' }),
  title: z.string(),
  url: z.string().meta({ description: 'the address that was captured' }),
  app: z.enum(APPS),
  flow: z.object({ slug: z.string(), name: z.string() }),
  step: z.int().nullable().meta({ description: 'the place in the flow, from 1 on' }),
  platform: z.enum(PLATFORMS_SHOWN),
  viewport: z.enum(VIEWPORTS),
  lang: z.enum(LANGS),
  mode: z.enum(MODES),
  kind: z.string().meta({ description: 'key of a page type of the taxonomy' }),
  patterns: z.array(z.string()).meta({ description: 'keys of patterns of the taxonomy' }),
  components: z.array(z.string()).meta({ description: 'keys of elements of the taxonomy' }),
  image: ImageData,
  thumbnail: ImageData,
  captured_at: dateTime,
  added_at: dateTime.meta({ description: 'when the screen was first seen' }),
  html_url: z.string().meta({ description: 'the screen’s page in the gallery' }),
};

const ScreenCardData = z.object(card).meta({ id: 'ScreenCardData' });

const pagedScreens = pagedData(ScreenCardData);

export const ScreenListData = z
  .object({
    ...pagedScreens,
    meta: pagedScreens.meta.extend({ cols: z.int().min(1).meta({ description: 'columns of the page' }) }),
  })
  .meta({ id: 'ScreenListData' });

export const ScreenShowData = z
  .object({
    data: z
      .object({
        ...card,
        key: z.string().meta({ description: 'the key of the capture, which names the screen in every collect run' }),
        run_id: id.meta({ description: 'the collect run that captured it last' }),
        final_url: nullableText,
        http_status: z.int().nullable(),
        auth: z.boolean().meta({ description: 'true if the page was seen signed in' }),
        login_stage: z.boolean().nullable().meta({ description: 'true for a step of signing in; null if not told' }),
        saved_state: z.boolean().nullable().meta({ description: 'true for a state saved before; null if not told' }),
        elements: z.record(z.string(), count).meta({ description: 'the number of elements by their key' }),
        colors: z
          .array(z.object({ hex: z.string(), share: z.number().min(0).max(1) }))
          .meta({ description: 'at most 12, the most used first' }),
        fonts: z.array(z.string()).meta({ description: 'at most 8, the most used first' }),
        text: z.string().meta({ description: 'the visible text, cut at 4,000 characters' }),
        page: z
          .object({ url: z.string(), sha256, size })
          .nullable()
          .meta({ description: 'the saved page without scripts; null if there is none' }),
      })
      .meta({ id: 'ScreenData' }),
  })
  .meta({ id: 'ScreenShowData' });

export const AppShowData = z
  .object({
    data: z
      .object({
        id,
        slug: z.enum(APPS),
        name: z.string(),
        screens: count.meta({ description: 'the number of all screens of the app' }),
        flows: z
          .array(
            z.object({
              slug: z.string(),
              name: z.string(),
              total: count.meta({ description: 'the number of all screens of the flow' }),
              screens: z.array(ScreenCardData).meta({ description: 'the first 12 by their step' }),
            }),
          )
          .meta({ description: 'at most 50, by their slug' }),
      })
      .meta({ id: 'GalleryAppData' }),
  })
  .meta({ id: 'AppShowData' });

const localized = z.object({ en: z.string().optional(), ko: z.string().optional() });

const TermData = z
  .object({ key: z.string(), name: localized, description: localized.optional(), screens: count })
  .meta({ id: 'TaxonomyTermData' });

export const PatternListData = z.object({ data: z.array(TermData) }).meta({ id: 'PatternListData' });

export const TaxonomyShowData = z
  .object({
    data: z
      .object({
        page_types: z.array(TermData),
        patterns: z.array(TermData),
        elements: z.array(TermData),
        colors: z
          .array(z.object({ key: z.string(), hex: z.string(), screens: count }))
          .meta({ description: 'families of colours, each with the colour of it that most screens have' }),
        fonts: z
          .array(z.object({ name: z.string(), screens: count }))
          .meta({ description: 'at most 100, those of the most screens first' }),
      })
      .meta({ id: 'TaxonomyData' }),
  })
  .meta({ id: 'TaxonomyShowData' });
