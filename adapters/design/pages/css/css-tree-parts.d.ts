/*
 * The used parts of css-tree, imported by path. The main path reads tables of CSS properties from files that a bundle
 * lacks and nothing here needs.
 */
declare module 'css-tree/tokenizer' {
  export const tokenize: typeof import('css-tree').tokenize;
  export const tokenTypes: typeof import('css-tree').tokenTypes;
}

declare module 'css-tree/utils' {
  export const string: typeof import('css-tree').string;
  export const url: typeof import('css-tree').url;
}
