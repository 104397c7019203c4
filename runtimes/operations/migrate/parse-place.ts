/** Where a table is: the folder of a store, or the name of a table of DynamoDB. */
export type TableSpec =
  | { readonly engine: 'sqlite'; readonly folder: string }
  | { readonly engine: 'dynamodb'; readonly table: string };

/** Where objects are: the folder of a store, or the name of a bucket. */
export type ObjectsSpec =
  | { readonly engine: 'filesystem'; readonly folder: string }
  | { readonly engine: 's3'; readonly bucket: string };

export type PlaceSpec = { readonly table: TableSpec; readonly objects: ObjectsSpec };

/** How a place is written, for help and complaints. */
export const PLACES =
  'a folder (folder:DIR or just DIR), or a table and objects such as dynamodb:TABLE,s3:BUCKET; sqlite:DIR and filesystem:DIR stand for either half of a folder';

const SCHEME = /^([a-z0-9]{2,}):(.*)$/s;

const inFolder = (folder: string): PlaceSpec => ({
  table: { engine: 'sqlite', folder },
  objects: { engine: 'filesystem', folder },
});

/** Undefined for what is no half of a place. */
const half = (text: string): Partial<PlaceSpec> | undefined => {
  const [, scheme, name = ''] = SCHEME.exec(text) ?? [];
  if (name === '') return undefined;
  if (scheme === 'sqlite') return { table: { engine: 'sqlite', folder: name } };
  if (scheme === 'dynamodb') return { table: { engine: 'dynamodb', table: name } };
  if (scheme === 'filesystem') return { objects: { engine: 'filesystem', folder: name } };
  if (scheme === 's3') return { objects: { engine: 's3', bucket: name } };
  return undefined;
};

/**
 * Reads what a place is written as: `folder:DIR`, or `DIR` alone, is a data folder with its database, objects and keys;
 * `TABLE,OBJECTS` are both halves, each of them in a folder or not (`dynamodb:shop,s3:shop-files`). `sqlite:DIR` alone is
 * the whole folder too. Undefined for anything else.
 */
export const parsePlace = (text: string): PlaceSpec | undefined => {
  const [, scheme, rest = ''] = SCHEME.exec(text) ?? [];
  if (scheme === undefined) return text === '' ? undefined : inFolder(text);
  if (scheme === 'folder') return rest === '' ? undefined : inFolder(rest);
  const halves = text.split(/,(?=[a-z0-9]{2,}:)/).map(half);
  const { table, objects } = Object.assign({}, ...halves) as Partial<PlaceSpec>;
  if (halves.length > 2 || halves.includes(undefined) || !table) return undefined;
  if (halves.length === 1) return table.engine === 'sqlite' ? inFolder(table.folder) : undefined;
  return objects && { table, objects };
};
