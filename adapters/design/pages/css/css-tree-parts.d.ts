/*
 * The parts of css-tree that are used, imported by path. The main entry reads tables of CSS properties from files that
 * a bundle lacks and this code does not need.
 */
declare module 'css-tree/tokenizer' {
  export const tokenize: typeof import('css-tree').tokenize;
  export const tokenTypes: typeof import('css-tree').tokenTypes;
}

declare module 'css-tree/utils' {
  export const string: typeof import('css-tree').string;
  export const url: typeof import('css-tree').url;
}
