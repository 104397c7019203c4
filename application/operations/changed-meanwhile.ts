/**
 * Thrown when the store or a file changed between the check of an import and its writes. The import can be run again.
 */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}
