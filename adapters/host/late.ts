/** Loads once, with the first call. A load that fails is not remembered, so that the next call tries again. */
export const late = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loading: Promise<T> | undefined;
  const forget = (error: unknown): never => {
    loading = undefined;
    throw error;
  };
  return () => (loading ??= load().catch(forget));
};
