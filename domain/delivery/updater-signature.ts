/**
 * The content of a `.sig` file of Tauri's signer: a signature of minisign in base64, whose text begins with
 * `untrusted comment:`. No key of the store made it, so that only the application can verify it.
 */
export const UPDATER_SIGNATURE = /^dW50cnVzdGVkIGNvbW1lbnQ6[A-Za-z0-9+/]+={0,2}$/;

export const LONGEST_UPDATER_SIGNATURE = 2000;

export const isUpdaterSignature = (text: string): boolean =>
  text.length <= LONGEST_UPDATER_SIGNATURE && UPDATER_SIGNATURE.test(text);
