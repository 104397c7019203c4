/** The bytes that a percent-encoded text stands for. A percent sign that encodes nothing stands for itself. */
export const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
