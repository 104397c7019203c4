/** Somebody changed the store between the check of an import and its writing; the import can be run again. */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}
