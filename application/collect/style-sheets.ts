import type { Capture, RunAsset } from '../../domain/collect/capture.ts';
import type { StoredFile } from '../../domain/shared/stored-file.ts';
import type { CapturedPage, DesignFiles } from '../../ports/outbound/collect.ts';

export type SheetQuery = {
  readonly capture: Pick<Capture, 'url' | 'final_url' | 'assets'>;
  readonly assets: readonly RunAsset[];
  /** The addresses of the sheets that the page loads. */
  readonly addresses: readonly string[];
  /** The most bytes of all sheets together. */
  readonly most: number;
};

/** The address as browsers compare it: resolved, without its fragment. */
const resolved = (address: string, base: string): string => {
  const url = URL.parse(address, base);
  if (!url) return address;
  url.hash = '';
  return url.href;
};

/** The style sheets of a run by address: those that the capture lists, or all where it lists none. */
const sheetsByAddress = ({ capture, assets }: SheetQuery): ReadonlyMap<string, StoredFile> => {
  const base = capture.final_url ?? capture.url;
  const sheets = assets.filter(({ type }) => type === 'css');
  if (capture.assets === null) return new Map(sheets.map((sheet) => [resolved(sheet.url, base), sheet]));
  const byHash = new Map(sheets.map((sheet) => [sheet.sha256, sheet]));
  return new Map(
    capture.assets.flatMap(({ url, sha256 }) => {
      const sheet = byHash.get(sha256);
      return sheet ? [[resolved(url, base), sheet] as const] : [];
    }),
  );
};

/** The style sheets of a page that the run has, in the order of the page, as far as they fit into the bound. */
export const styleSheetsOf = async (files: DesignFiles, wanted: SheetQuery): Promise<CapturedPage['styles']> => {
  const known = sheetsByAddress(wanted);
  const styles: { readonly url: string; readonly css: Uint8Array }[] = [];
  let size = 0;
  for (const url of wanted.addresses) {
    const sheet = known.get(url);
    if (!sheet || size + sheet.size > wanted.most) continue;
    const css = await files.read(sheet);
    if (!css) continue;
    size += css.length;
    styles.push({ url, css });
  }
  return styles;
};
