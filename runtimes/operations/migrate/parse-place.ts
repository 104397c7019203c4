/** The place of a table: the folder of a store, or the name of a table in DynamoDB. */
export type TableSpec =
  | { readonly engine: 'sqlite'; readonly folder: string }
  | { readonly engine: 'dynamodb'; readonly table: string };

/** The place of objects: the folder of a store, or the name of a bucket. */
export type ObjectsSpec =
  | { readonly engine: 'filesystem'; readonly folder: string }
  | { readonly engine: 's3'; readonly bucket: string };

export type PlaceSpec = { readonly table: TableSpec; readonly objects: ObjectsSpec };

/** The ways to write a place, for help and error messages. */
export const PLACES =
  'a folder (folder:DIR or just DIR), or a table and objects such as dynamodb:TABLE,s3:BUCKET; sqlite:DIR and filesystem:DIR stand for either half of a folder';

const SCHEME = /^([a-z0-9]{2,}):(.*)$/s;

const inFolder = (folder: string): PlaceSpec => ({
  table: { engine: 'sqlite', folder },
  objects: { engine: 'filesystem', folder },
});

/** One half of a place; undefined for any other text. */
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
 * Parses the text of a place. `folder:DIR`, or `DIR` alone, is a data folder with its database, objects and keys.
 * `TABLE,OBJECTS` are both halves, such as `dynamodb:shop,s3:shop-files`; each half may be in a folder. `sqlite:DIR`
 * alone is the whole folder too. Undefined for any other text.
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
