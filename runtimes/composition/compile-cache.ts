import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/**
 * Makes Node keep the compiled code of every module that is imported from now on, so that the next process starts
 * sooner. Node checks each entry against its source, so that an edited file is compiled again.
 *
 * The folder is among the packages: whoever may write code there may change what runs already, and `npm ci` empties it.
 * If the folder can't be written, nothing is kept. NODE_COMPILE_CACHE names another folder.
 */
export const keepCompiledCode = (folder = join(packageRoot(), 'node_modules', '.cache', 'account-service')): void => {
  enableCompileCache(folder);
};

/** Writes the code that was compiled until now, which a process that is killed would not write at its end. */
export const writeCompiledCode = (): void => flushCompileCache();
