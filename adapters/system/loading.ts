/** Loads once, at the first call. A failure is not cached, so the next call tries again. */
export const lazy = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loading: Promise<T> | undefined;
  const forget = (error: unknown): never => {
    loading = undefined;
    throw error;
  };
  return () => (loading ??= load().catch(forget));
};

const isMissing = (error: unknown, packages: readonly string[]): boolean => {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return false;
  return packages.some((name) => message.includes(`'${name}'`) || message.includes(`'${name}/`));
};

/**
 * Loads code that needs optional packages. If one is missing, it throws one sentence with the command that installs
 * them.
 */
export const needing = async <T>(what: string, packages: readonly string[], load: () => T | Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, packages)) throw error;
    throw new Error(`${what} needs packages that are not installed: npm install ${packages.join(' ')}`, {
      cause: error,
    });
  }
};
