import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse } from 'parse5';
import { Unreadable } from '../unreadable.ts';

export type PageElement = DefaultTreeAdapterTypes.Element;
export type PageNode = DefaultTreeAdapterTypes.ChildNode;
export type PageDocument = DefaultTreeAdapterTypes.Document;

/** Browsers also limit the depth of a page to 512. */
export const MOST_DEPTH = 512;
export const MOST_NODES = 200_000;

export const { HTML, SVG } = html.NS;

export const tooDeep = () => new Unreadable(`The page nests more than ${MOST_DEPTH} elements.`);
export const tooLarge = () => new Unreadable(`The page has more than ${MOST_NODES} elements, texts and comments.`);

/** Builds the usual tree, but stops as soon as it is too deep or too large. */
const boundedAdapter = (): typeof defaultTreeAdapter => {
  let nodes = 0;
  let depth = 0;
  const count = <T>(node: T): T => {
    nodes++;
    if (nodes > MOST_NODES) throw tooLarge();
    return node;
  };
  return {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) =>
      count(defaultTreeAdapter.createElement(name, namespace, attributes)),
    createCommentNode: (data) => count(defaultTreeAdapter.createCommentNode(data)),
    onItemPush: () => {
      depth++;
      if (depth > MOST_DEPTH) throw tooDeep();
    },
    onItemPop: () => {
      depth--;
    },
  };
};

/**
 * The tree of a page, as a browser with scripts builds it. Throws Unreadable if elements are nested deeper than 512 or
 * there are more than 200,000. Texts need no limit of their own: there is at most one before and after each element.
 */
export const parsePage = (text: string): PageDocument =>
  parse(text, { treeAdapter: boundedAdapter(), scriptingEnabled: true });

export const isElement = (node: PageNode): node is PageElement => 'tagName' in node;
export const isText = (node: PageNode): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text';

/** An attribute's value; undefined if the element lacks it. */
export const attribute = ({ attrs }: PageElement, name: string): string | undefined =>
  attrs.find((attr) => attr.name === name && !attr.prefix)?.value;

export const textIn = (element: PageElement): string =>
  element.childNodes.map((child) => (isText(child) ? child.value : '')).join('');
