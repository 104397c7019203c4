/** Each stage has its bar; a total may turn out larger than it was. */
export type ProgressBar = {
  readonly progress: (stage: string, done: number, total: number) => void;
  readonly stop: () => void;
};

const SILENT: ProgressBar = { progress: () => {}, stop: () => {} };

/** A bar on standard error for each stage in turn, on a terminal; nothing at all in a pipe. */
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
