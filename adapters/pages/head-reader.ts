import { imageSize } from 'image-size';
import { refuse } from '../../domain/shared/outcome.ts';
import type { ImageReader } from '../../ports/outbound/page-reader.ts';

const TYPES: Readonly<Record<string, 'image/png' | 'image/jpeg'>> = { png: 'image/png', jpg: 'image/jpeg' };

/** Measures images by their heads, and makes no thumbnails. */
export const headReader: ImageReader = {
  measure: (head) => {
    try {
      const { type = '', width, height } = imageSize(head);
      const known = TYPES[type];
      return known && { type: known, width, height };
    } catch {
      return undefined;
    }
  },
  thumbnail: async () => refuse('image_refused'),
};
