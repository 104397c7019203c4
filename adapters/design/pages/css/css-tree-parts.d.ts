/*
 * The parts of css-tree that are used, by their own paths. The package's main path reads tables of the CSS properties
 * from files beside it, which a bundle does not have, and which nothing here needs.
 */
declare module 'css-tree/tokenizer' {
  export const tokenize: typeof import('css-tree').tokenize;
  export const tokenTypes: typeof import('css-tree').tokenTypes;
}

declare module 'css-tree/utils' {
  export const string: typeof import('css-tree').string;
  export const url: typeof import('css-tree').url;
}
