/** A file in the object store: its checksum in lower-case hex, and its size in bytes. */
export type StoredFile = { readonly sha256: string; readonly size: number };

/** An image in the object store, with its dimensions in pixels. */
export type StoredImage = StoredFile & {
  readonly type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
};

/** An announced image that may not be uploaded yet. It is measured after the upload. */
export type PromisedImage = StoredFile & { readonly type: null; readonly width: null; readonly height: null };

/** The object store's key of a file of the design host. */
export const designObjectKey = (sha256: string): string => `design/${sha256}`;

/** The first bytes of each style sheet of a saved page, which identify it. */
export const SHEET_START = '@charset "utf-8";\n';

/** Milliseconds for which an announced file may be uploaded. */
export const UPLOAD_MS = 15 * 60 * 1000;
