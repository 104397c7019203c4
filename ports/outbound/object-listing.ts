/** What an object store has, key by key: for moving all of it elsewhere. */
export interface ObjectListing {
  /**
   * One page of the keys after `after`, in the order of their bytes. An object that is put meanwhile may or may not
   * come. Right when it passes `test/contracts/object-listing.ts`.
   */
  list(after?: string): Promise<KeyPage>;
}

export type KeyPage = {
  readonly keys: readonly string[];
  /** The last key of the page, absent on the last page. Where it is there, the page after it may be empty. */
  readonly next?: string | undefined;
};

/** The page that comes after a key, of keys in any order. */
export const keyPage = (keys: Iterable<string>, after: string | undefined, limit: number): KeyPage => {
  const rest = [...keys].filter((key) => after === undefined || key > after).sort();
  return rest.length > limit ? { keys: rest.slice(0, limit), next: rest[limit - 1] } : { keys: rest };
};
