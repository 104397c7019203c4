export type Stage =
  | 'Reading files'
  | 'Storing files'
  | 'Writing records'
  | 'Checking files'
  | 'Reading records'
  | 'Reading accounts'
  | 'Database'
  | 'Entries'
  | 'Files'
  | 'Verifying';

/**
 * Called with the progress of a long operation, in bytes while files are read, stored and checked, in records while
 * records are read and written, and in accounts while accounts are read.
 */
export type Progress = (stage: Stage, done: number, total: number) => void;

export const unseen: Progress = () => {};

/** A function that adds to the amount done in one stage and reports it. It raises a total that was too low. */
export const counted = (progress: Progress, stage: Stage, total: number): ((more: number) => void) => {
  let done = 0;
  return (more) => {
    done += more;
    progress(stage, done, Math.max(total, done));
  };
};
