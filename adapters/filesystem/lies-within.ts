import { relative, resolve, sep } from 'node:path';

/** True if the path is the folder or is below it, by name only: links are not followed. */
export const liesWithin = (path: string, folder: string): boolean => {
  const inside = relative(folder, path);
  // On Windows, the relative path to another drive is absolute.
  return inside !== '..' && !inside.startsWith(`..${sep}`) && (inside === '' || resolve(inside) !== inside);
};
