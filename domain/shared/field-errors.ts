import { countOf } from './count-of.ts';
import { type Refused, refuse } from './outcome.ts';

/** Error sentences by dotted field, such as `meta.step`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Refuses input for these errors. The message is the first sentence, and the number of the others. */
export const invalid = (errors: FieldErrors): Refused<'validation_failed'> => {
  const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
  const others = more.length === 0 ? '' : ` (and ${countOf(more.length, 'more error')})`;
  return refuse('validation_failed', { message: `${first}${others}`, data: { errors } });
};
