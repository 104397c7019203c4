import { invalid } from '../shared/field-errors.ts';
import { type Outcome, ok } from '../shared/outcome.ts';
import type { StoredImage } from '../shared/stored-file.ts';

/** The most pixels of a captured image. */
export const MAX_PIXELS = 40_000_000;

/** The facts of an image that its head tells. */
export type MeasuredImage = Pick<StoredImage, 'type' | 'width' | 'height'>;

/** Lets an image pass that is a PNG or a JPEG of at most 40 megapixels. */
export const judgeImage = (measured: MeasuredImage | undefined): Outcome<MeasuredImage, 'validation_failed'> => {
  if (measured === undefined) return invalid({ image: ['The image field must be a PNG or a JPEG image.'] });
  const { width, height } = measured;
  if (width < 1 || height < 1 || width * height > MAX_PIXELS) {
    return invalid({ image: [`The image field must have at most ${MAX_PIXELS} pixels; it has ${width} × ${height}.`] });
  }
  return ok(measured);
};
