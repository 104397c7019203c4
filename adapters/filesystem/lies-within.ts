import { relative, resolve, sep } from 'node:path';

/** True if the path is the folder or lies in it, by their names alone: no link is followed. */
export const liesWithin = (path: string, folder: string): boolean => {
  const inside = relative(folder, path);
  // On another drive of Windows, the relative path is the whole one.
  return inside !== '..' && !inside.startsWith(`..${sep}`) && (inside === '' || resolve(inside) !== inside);
};
