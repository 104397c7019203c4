/** The demo account and its products, as the document of the sample store has them. */
export const DEMO = { accountId: 1, email: 'demo@example.com', password: 'demo-password', productId: 4, appId: 3 };

/** The slug of the demo product. It tells the sample store from a shop's own store. */
export const DEMO_SLUG = 'hashcheck';

/** The demo account and the key that was created for it. */
export type Demo = {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  readonly productId: number;
  /** The token of an agent that collects pages for the gallery. */
  readonly agentToken: string;
  /** A Mac application, which has an appcast. */
  readonly appId: number;
};
