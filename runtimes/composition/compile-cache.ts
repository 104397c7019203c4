import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { isInstalled, packageRoot } from './package-root.ts';

/**
 * The folder of the compiled code: among the packages of a checkout. There, whoever may write code may change what runs
 * already, and `npm ci` empties it. None for a package that was installed: its folder belongs to another project, or to
 * the whole machine.
 */
export const compiledCodeFolder = (root = packageRoot()): string | undefined =>
  isInstalled(root) ? undefined : join(root, 'node_modules', '.cache', 'account-service');

/**
 * Makes Node keep the compiled code of every module that is imported from now on, so that the next process starts
 * sooner. Node checks each entry against its source, so that an edited file is compiled again. Nothing is kept without
 * a folder, or if it can't be written. NODE_COMPILE_CACHE names another folder, which Node itself reads.
 */
export const keepCompiledCode = (folder = compiledCodeFolder()): void => {
  if (folder !== undefined) enableCompileCache(folder);
};

/** Writes the code that was compiled until now, which a process that is killed would not write at its end. */
export const writeCompiledCode = (): void => flushCompileCache();
