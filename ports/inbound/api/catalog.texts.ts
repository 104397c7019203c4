export const apiCatalogTexts = {
  getLibrary: {
    group: 'Library',
    summary: 'List the products this account may use',
    description:
      'Every product that the account has access to now, with its delivery, setup progress, MCP server and current bundle file. A key bound to one product sees only that product.',
    tool: {
      title: 'List my products',
      description:
        'Lists every product that this account may use now, with its id, delivery, setup steps done and current file. Start here: most other tools take the `product.id` of an item.',
    },
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
    tool: {
      title: 'List a product’s guides and images',
      description:
        'Lists the guides, prompts and images of a product that the account owns, by path. Pass a path to download_content_asset.',
    },
  },
  getContentAsset: {
    group: 'Library',
    summary: 'Download one content asset',
    description: 'Streams the content asset with this path. The path may contain slashes.',
    tool: {
      title: 'Download a guide or image',
      description: 'Gives a link to one content asset, valid for 15 minutes without a credential, with its sha256.',
    },
    pathExamples: { path: 'hero.svg' },
  },
  listProducts: {
    group: 'Products',
    summary: 'List the products on sale',
    description:
      'The active products. `entitled` tells whether this account may use a product. A key bound to one product sees only that product.',
    tool: {
      title: 'Browse the products on sale',
      description:
        'Searches the catalog; `entitled` tells whether this account may use a product already. For owned products alone, list_library is shorter.',
    },
  },
  getProduct: {
    group: 'Products',
    summary: 'Get one product',
    description: 'An unpublished product answers 404 to every account that can’t access it.',
    tool: {
      title: 'Show a product',
      description: 'Shows name, price, categories and tags of one product. show_product_detail has the manual.',
    },
  },
  getProductDetail: {
    group: 'Products',
    summary: 'Get a product’s detail page',
    description: 'The long description as sanitised HTML, with its manual, gallery, videos and guides.',
    tool: {
      title: 'Show a product’s manual',
      description:
        'Shows the long description, requirements, install steps, verification steps and troubleshooting of an owned product. Read it before you install the product or explain it to somebody.',
    },
  },
  getSetupProgress: {
    group: 'Setup progress',
    summary: 'Get the setup progress',
    description: 'The setup steps of the product, and which of them this account has completed.',
    tool: {
      title: 'Show the setup progress',
      description: 'Shows the setup steps of an owned product and which of them are done. Steps are counted from 0.',
    },
  },
  saveSetupProgress: {
    group: 'Setup progress',
    summary: 'Save the setup progress',
    description: 'Replaces the list of completed steps.',
    tool: {
      description:
        'Replaces the list of completed setup steps, so send all completed ones and not only the new one. Read show_setup_progress first.',
    },
    bodyExample: { completed_step_indexes: [0, 1] },
  },
  listLineages: {
    group: 'Public',
    summary: 'List the product lineages',
    description:
      'The active lineages. A lineage is a series of products in which each one replaced the previous one. Unpublished products are not counted.',
    tool: {
      title: 'List product lineages',
      description: 'Lists the series of products in which each one replaced the previous one.',
    },
  },
  getLineage: {
    group: 'Public',
    summary: 'Get one lineage and its products',
    description:
      'The products of the lineage, oldest first. `role` is `current` for the recommended product, `predecessor` before it, and `successor` after it. The list includes products that are no longer sold, but no unpublished ones. An inactive lineage answers 404.',
    tool: {
      title: 'Show a lineage',
      description:
        'Shows the products of one lineage, oldest first; `role` is `current` for the recommended one. Use it to find the successor of a product.',
    },
    pathExamples: { slug: 'release-notes' },
  },
  getDisclosure: {
    group: 'Public',
    summary: 'Get the business disclosure',
    description:
      'The disclosure of the company that runs the store, in Korean and English. A field that does not apply to the company is an empty text. The answer is 404 until the operator has entered a disclosure.',
    tool: {
      title: 'Show the business disclosure',
      description: 'Shows the legal name, registration numbers and contact of the company that runs the store.',
    },
  },
} as const;
