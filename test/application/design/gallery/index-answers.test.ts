import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { gallery } from '../../../../runtimes/composition/areas/design/gallery.ts';
import { expectSame, PlainGallery } from '../../../support/gallery/plain-gallery.ts';
import { randomDraft, randomFilter } from '../../../support/gallery/random-screens.ts';
import { aStore } from '../../../support/memory-store.ts';

const KEYS = 30;

test('the gallery index returns the same results as a filter over all screens, after any saves', async () => {
  const saves = fc.array(fc.array(randomDraft(KEYS), { maxLength: 25 }), { minLength: 1, maxLength: 5 });
  const filters = fc.array(randomFilter, { minLength: 10, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(saves, filters, async (batches, asked) => {
      const service = await aStore([gallery]);
      const plain = new PlainGallery();
      for (const drafts of batches) {
        const before = plain.screens.length;
        const saved = await service.get('galleryEditor').save(grantPermit(), drafts);
        plain.save(drafts);
        expect(saved.added).toBe(plain.screens.length - before);
        await expectSame(service.get('gallery'), plain, asked);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);
