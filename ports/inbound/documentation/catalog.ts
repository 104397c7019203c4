import * as z from 'zod';
import {
  ContentAssetData,
  LibraryApiData,
  ProductApiData,
  ProductDetailApiData,
  ProductSetupProgressData,
} from './answers/catalog.ts';
import { LineageListData, LineageShowData, PublicDisclosureData } from './answers/lineages.ts';
import { bodyExamples } from './examples/bodies.ts';
import { examples } from './examples/examples.ts';

export const catalogDocumentation = {
  getLibrary: {
    group: 'Library',
    summary: 'List the products this account may use',
    description:
      'Every product that the account has access to now, with its delivery, setup progress, MCP server and current bundle file. A key bound to one product sees only that product.',
    answer: { schema: LibraryApiData, example: examples.library },
  },
  getProductContentCss: {
    group: 'Library',
    summary: 'Get the stylesheet for product content',
    description:
      'Styles for `detail_html` and `thumbnail_html`, in light and dark. Put the HTML into an element of the class `product-content`; its pictures load without a key.',
  },
  listContentAssets: {
    group: 'Library',
    summary: 'List a product’s content assets',
    description: 'Images, guides and prompts of the product, by path.',
    pathExamples: { product: 4 },
    answer: {
      schema: z.object({ assets: z.array(ContentAssetData) }).meta({ id: 'ContentAssetListData' }),
      example: examples.contentAssets,
    },
  },
  getContentAsset: {
    group: 'Library',
    summary: 'Download one content asset',
    description: 'Streams the content asset with this path. The path may contain slashes.',
    pathExamples: { product: 4, path: 'hero.svg' },
  },
  listProducts: {
    group: 'Products',
    summary: 'List the products on sale',
    description:
      'The active products. `entitled` tells whether this account may use a product. A key bound to one product sees only that product.',
    answer: {
      schema: z.object({ products: z.array(ProductApiData) }).meta({ id: 'ProductListData' }),
      example: examples.products,
    },
  },
  getProduct: {
    group: 'Products',
    summary: 'Get one product',
    description: 'An unpublished product answers 404 to every account that can’t access it.',
    pathExamples: { product: 4 },
    answer: {
      schema: z.object({ product: ProductApiData }).meta({ id: 'ProductShowData' }),
      example: examples.product,
    },
  },
  getProductDetail: {
    group: 'Products',
    summary: 'Get a product’s detail page',
    description: 'The long description as sanitised HTML, with its manual, gallery, videos and guides.',
    pathExamples: { product: 4 },
    answer: { schema: ProductDetailApiData, example: examples.productDetail },
  },
  getSetupProgress: {
    group: 'Setup progress',
    summary: 'Get the setup progress',
    description: 'The setup steps of the product, and which of them this account has completed.',
    pathExamples: { product: 4 },
    answer: { schema: ProductSetupProgressData, example: examples.setupProgress },
  },
  saveSetupProgress: {
    group: 'Setup progress',
    summary: 'Save the setup progress',
    description: 'Replaces the list of completed steps.',
    pathExamples: { product: 4 },
    bodyExample: bodyExamples.saveSetupProgress,
    answer: { schema: ProductSetupProgressData, example: examples.setupProgress },
  },
  listLineages: {
    group: 'Public',
    summary: 'List the product lineages',
    description:
      'The active lineages. A lineage is a series of products in which each one replaced the one before. Unpublished products are not counted.',
    answer: { schema: LineageListData, example: examples.lineages },
  },
  getLineage: {
    group: 'Public',
    summary: 'Get one lineage and its products',
    description:
      'The products of the lineage, oldest first. `role` is `current` for the recommended product, `predecessor` before it, and `successor` after it. The list includes products that are no longer sold, but no unpublished ones. An inactive lineage answers 404.',
    pathExamples: { slug: 'release-notes' },
    answer: { schema: LineageShowData, example: examples.lineage },
  },
  getDisclosure: {
    group: 'Public',
    summary: 'Get the business disclosure',
    description:
      'The disclosure of the company that runs the store, in Korean and English. A field that does not apply to the company is an empty text. The answer is 404 until the operator has entered a disclosure.',
    answer: { schema: PublicDisclosureData, example: examples.disclosure },
  },
} as const;
