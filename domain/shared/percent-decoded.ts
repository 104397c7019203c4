/** A percent sign that encodes no byte. */
const PLAIN_SIGN = /%(?![\da-f]{2})/gi;

/**
 * The text that a percent-encoded one stands for; undefined where its bytes are not UTF-8. A percent sign that encodes
 * nothing stands for itself.
 */
export const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replace(PLAIN_SIGN, '%25'));
  } catch {
    return undefined;
  }
};
