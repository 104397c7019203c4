import { isBlank, isLine } from '../shared/plain-text.ts';

/** The most characters of a device id. */
export const LONGEST_DEVICE_ID = 255;

/**
 * A device id in the form in which ids are compared and kept (Unicode NFC): composed and decomposed letters are one id.
 */
export const composedId = (text: string): string => text.normalize('NFC');

/** The client's name for a device in its kept form; null where the text can't be one. */
export const deviceIdOf = (text: string): string | null => {
  const id = composedId(text);
  return !isBlank(id) && id.length <= LONGEST_DEVICE_ID && isLine(id) ? id : null;
};
