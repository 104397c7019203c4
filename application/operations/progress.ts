export type Stage = 'Reading files' | 'Storing files' | 'Writing records';

/** Told how far a long operation is: bytes of the stages that move files, records of the last. */
export type Progress = (stage: Stage, done: number, total: number) => void;

export const unseen: Progress = () => {};

/** Adds up what is done of one stage. */
export const counted = (progress: Progress, stage: Stage, total: number): ((more: number) => void) => {
  let done = 0;
  return (more) => {
    done += more;
    progress(stage, done, total);
  };
};
