/** Shows the progress of each stage. A later call may raise the total of a stage. */
export type ProgressBar = {
  readonly progress: (stage: string, done: number, total: number) => void;
  readonly stop: () => void;
};

const SILENT: ProgressBar = { progress: () => {}, stop: () => {} };

/** On a terminal, shows a bar for each stage on standard error. In a pipe, shows nothing. */
export const progressBar = async (): Promise<ProgressBar> => {
  if (!process.stderr.isTTY) return SILENT;
  const { MultiBar, Presets } = await import('cli-progress');
  const bars = new MultiBar(
    { format: '{stage} [{bar}] {percentage}%', stream: process.stderr, hideCursor: false, linewrap: true },
    Presets.shades_classic,
  );
  const running = new Map<string, ReturnType<typeof bars.create>>();
  return {
    progress: (stage, done, total) => {
      const bar = running.get(stage) ?? bars.create(total, 0, { stage: stage.padEnd(15) });
      running.set(stage, bar);
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bars.stop(),
  };
};

/** Runs work that shows its progress, and then stops showing it. */
export const withProgress = async <T>(work: (progress: ProgressBar['progress']) => Promise<T>): Promise<T> => {
  const { progress, stop } = await progressBar();
  try {
    return await work(progress);
  } finally {
    stop();
  }
};
