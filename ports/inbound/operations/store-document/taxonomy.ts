import * as z from 'zod';
import { TERMS_OF_SECTION } from '../../../../domain/operations/store-document.ts';
import { localized } from './fields.ts';

const terms = z
  .array(
    z.strictObject({
      key: z.string().regex(/^[a-z0-9-]{1,60}$/, 'must be 1 to 60 lower-case letters, digits and hyphens'),
      name: localized(z.string().min(1).max(60)),
      description: localized(z.string().max(300)).optional(),
    }),
  )
  .max(TERMS_OF_SECTION)
  .default([]);

export const taxonomy = z
  .strictObject({ page_types: terms, patterns: terms, elements: terms })
  .meta({ description: 'words of the gallery, beside its own ones; a word replaces the one with the same key' });
