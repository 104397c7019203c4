/** Lists every key of an object store, so that its objects can be copied to another one. */
export interface ObjectListing {
  /**
   * One page of the keys after `after`, in the order of their bytes. An object that is put meanwhile may be missing.
   * An implementation must pass the contract suite `contracts/object-listing`.
   */
  list(after?: string): Promise<KeyPage>;
}

export type KeyPage = {
  readonly keys: readonly string[];
  /** The last key of the page; absent on the last page. The page after it can be empty. */
  readonly next?: string | undefined;
};

/** The page of at most `limit` keys after `after`, made from all keys in any order. */
export const keyPage = (keys: Iterable<string>, after: string | undefined, limit: number): KeyPage => {
  const rest = [...keys].filter((key) => after === undefined || key > after).sort();
  return rest.length > limit ? { keys: rest.slice(0, limit), next: rest[limit - 1] } : { keys: rest };
};
