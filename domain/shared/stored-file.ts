/** A file in the object store: lower-case hex, and bytes. */
export type StoredFile = { readonly sha256: string; readonly size: number };

/** An image in the object store, with its dimensions in pixels. */
export type StoredImage = StoredFile & {
  readonly type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
};

/** An image whose bytes are promised and may not be there yet. It is measured once they are. */
export type PromisedImage = StoredFile & { readonly type: null; readonly width: null; readonly height: null };

/** The object store's key of a file of the design host. */
export const designObjectKey = (sha256: string): string => `design/${sha256}`;

/** The beginning of each style sheet of a saved page, by which it is told from other files. */
export const SHEET_START = '@charset "utf-8";\n';

/** Milliseconds for which a promised file may be uploaded. */
export const UPLOAD_MS = 15 * 60 * 1000;
