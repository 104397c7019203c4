/** Shows the progress of a stage. A later call may raise the total of a stage. */
type Progress = (stage: string, done: number, total: number) => void;

/** Runs work that shows its progress: on a terminal by a bar for each stage on standard error, in a pipe not at all. */
export const withProgress = async <T>(work: (progress: Progress) => Promise<T>): Promise<T> => {
  if (!process.stderr.isTTY) return work(() => {});
  const { MultiBar, Presets } = await import('cli-progress');
  const bars = new MultiBar(
    { format: '{stage} [{bar}] {percentage}%', stream: process.stderr, hideCursor: false, linewrap: true },
    Presets.shades_classic,
  );
  const running = new Map<string, ReturnType<typeof bars.create>>();
  try {
    return await work((stage, done, total) => {
      const bar = running.get(stage) ?? bars.create(total, 0, { stage: stage.padEnd(15) });
      running.set(stage, bar);
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    bars.stop();
  }
};
