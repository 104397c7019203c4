export type Flow = { readonly slug: string; readonly name: string };

const MOST = 60;

/** The flow of pages at the root of an app, and of those whose names have no letter or digit. */
const HOME: Flow = { slug: 'home', name: 'Home' };

const cut = (text: string): string => [...text].slice(0, MOST).join('');

/**
 * A name as a part of an address: its letters and digits of any script in lower case, with `-` for all between them. At
 * most 60 characters; empty where the name has no letter or digit.
 */
export const slugOf = (name: string): string =>
  cut(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
      .replace(/^-+/, ''),
  ).replace(/-+$/, '');

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** A segment that names a language or numbers a record says nothing of the flow. */
const saysNothing = (segment: string): boolean => /^(?:ko|en|\d+|[0-9a-f]{8,}(?:-[0-9a-f]+)*)$/i.test(segment);

const titled = (slug: string): string => {
  const words = slug.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The flow of a page: the one that its collector names, else the first telling segment of its path. */
export const flowOf = (told: string | null, path: string): Flow => {
  const name = cut((told ?? '').replace(/\s+/gu, ' ').trim());
  const slug = slugOf(name);
  if (slug !== '') return { slug, name };
  const segment = path.split('/').find((part) => part !== '' && !saysNothing(part));
  const own = slugOf(decoded(segment ?? '').replace(/\.[a-z]{2,5}$/i, ''));
  return own === '' ? HOME : { slug: own, name: titled(own) };
};
