/** File endings that say a format, longest first, with the media type it is downloaded as. */
const FORMATS: readonly (readonly [ending: string, format: string, contentType: string])[] = [
  ['.tar.gz', 'tar.gz', 'application/gzip'],
  ['.tgz', 'tar.gz', 'application/gzip'],
  ['.zip', 'zip', 'application/zip'],
  ['.vsix', 'vsix', 'application/vsix'],
  ['.dmg', 'dmg', 'application/x-apple-diskimage'],
  ['.pkg', 'pkg', 'application/octet-stream'],
];

/** The format of an artifact by its file name; a file without a known ending is a `bin`. */
export const formatOf = (filename: string): string =>
  FORMATS.find(([ending]) => filename.toLowerCase().endsWith(ending))?.[1] ?? 'bin';

export const formatContentType = (format: string): string =>
  FORMATS.find(([, name]) => name === format)?.[2] ?? 'application/octet-stream';
