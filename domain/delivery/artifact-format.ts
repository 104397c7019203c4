/** File endings, longest first, with their format and media type. */
const FORMATS: readonly (readonly [ending: string, format: string, contentType: string])[] = [
  ['.tar.gz', 'tar.gz', 'application/gzip'],
  ['.tgz', 'tar.gz', 'application/gzip'],
  ['.zip', 'zip', 'application/zip'],
  ['.vsix', 'vsix', 'application/vsix'],
  ['.dmg', 'dmg', 'application/x-apple-diskimage'],
  ['.pkg', 'pkg', 'application/octet-stream'],
  ['.exe', 'exe', 'application/vnd.microsoft.portable-executable'],
  ['.msi', 'msi', 'application/x-msi'],
];

/** The format that the file name's ending stands for; `bin` for an unknown ending. */
export const formatOf = (filename: string): string =>
  FORMATS.find(([ending]) => filename.toLowerCase().endsWith(ending))?.[1] ?? 'bin';

export const formatContentType = (format: string): string =>
  FORMATS.find(([, name]) => name === format)?.[2] ?? 'application/octet-stream';

/** Kinds of updates beside a plain application (Sparkle, "Package updates"). `interactive-package` is deprecated. */
export const INSTALLATION_TYPES = ['package', 'interactive-package'] as const;
export type InstallationType = (typeof INSTALLATION_TYPES)[number];
