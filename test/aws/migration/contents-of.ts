import { hash } from 'node:crypto';
import type { Entry, TableDump } from '../../../adapters/store/table-dump.ts';
import { openPlace, type Place, parsePlace } from '../../../runtimes/copy/place.ts';
import { kindsWith } from '../../../runtimes/engines/choose.ts';

export type Entries = ReadonlyMap<string, Entry>;

/** Every entry of a table by key, including expired ones, except the record of a migration. */
export const entriesOf = async (dump: TableDump): Promise<Entries> => {
  const found = new Map<string, Entry>();
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = await dump.dump(0, after);
    for (const entry of page.entries) if (entry.pk !== 'MIGRATION') found.set(`${entry.pk} ${entry.sk}`, entry);
    after = page.next;
  }
  return found;
};

/** The SHA-256 of each object's bytes, by its key, except the doctor's probe, which a running server writes. */
const objectsOf = async ({ listing, objects }: Place): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = await listing.list(after);
    for (const key of page.keys.filter((one) => !one.startsWith('doctor/'))) {
      const opened = await objects.open(key);
      if (!opened) throw new Error(`The object ${key} is listed but missing.`);
      found.set(key, hash('sha256', Buffer.concat(await Array.fromAsync(opened.stream))));
    }
    after = page.next;
  }
  return found;
};

export type Contents = { readonly entries: Entries; readonly objects: ReadonlyMap<string, string> };

/** The contents of a place as `migrate` takes it, such as `folder:DIR`. */
export const contentsOf = async (text: string): Promise<Contents> => {
  const spec = parsePlace(text, kindsWith());
  if (!spec) throw new Error(`${text} is no place.`);
  const place = await openPlace(spec, 'source');
  try {
    return { entries: await entriesOf(place.dump), objects: await objectsOf(place) };
  } finally {
    await place.close();
  }
};
