import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Imported before a program, it writes the addresses of all modules that the program has loaded to the file LISTED at the
 * program's end.
 */
const loaded = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    loaded.add(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env['LISTED'] ?? '', [...loaded].join('\n')));
