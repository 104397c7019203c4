import type { Service } from '../composition/service.ts';
import type { Engines, Settings } from '../composition/settings.ts';

/* The services that commands need, each with the areas of its commands alone, so that no command waits for others. */

const bootstrap = async () => (await import('../composition/bootstrap.ts')).bootstrap;

/** Every area. */
export const whole = async () => {
  const [wire, { EVERY_AREA }] = await Promise.all([bootstrap(), import('../composition/areas/everything.ts')]);
  return (settings: Settings, engines: Engines): Service => wire(settings, engines, EVERY_AREA);
};

/** The areas that most commands need. */
export const operations = async () => {
  const [wire, { agentTokens }, { agents }, { gallery }, { keys }, { licensing }, area, { policy }, sign, { support }] =
    await Promise.all([
      bootstrap(),
      import('../composition/areas/agent-tokens.ts'),
      import('../composition/areas/agents.ts'),
      import('../composition/areas/gallery.ts'),
      import('../composition/areas/keys.ts'),
      import('../composition/areas/licensing.ts'),
      import('../composition/areas/operations.ts'),
      import('../composition/areas/policy.ts'),
      import('../composition/areas/signing.ts'),
      import('../composition/areas/support.ts'),
    ]);
  const areas = [
    agentTokens,
    agents,
    gallery,
    keys,
    licensing,
    area.operations,
    policy,
    sign.signing,
    support,
  ] as const;
  return (settings: Settings, engines: Engines) => wire(settings, engines, areas);
};

/** Adds and lists accounts. */
export const accounts = async () => {
  const [wire, area] = await Promise.all([bootstrap(), import('../composition/areas/accounts.ts')]);
  return (settings: Settings, engines: Engines) => wire(settings, engines, [area.accounts]);
};

/** Commands about one buyer. */
export const buyers = async () => {
  const [wire, area, { signInRecords }, { oauth }, own] = await Promise.all([
    bootstrap(),
    import('../composition/areas/accounts.ts'),
    import('../composition/areas/sign-in-records.ts'),
    import('../composition/areas/oauth.ts'),
    import('../composition/areas/buyers.ts'),
  ]);
  const areas = [area.accounts, signInRecords, oauth, own.buyers] as const;
  return (settings: Settings, engines: Engines) => wire(settings, engines, areas);
};

/** Shows and refunds orders, and shows subscriptions. */
export const orders = async () => {
  const [wire, area] = await Promise.all([bootstrap(), import('../composition/areas/orders.ts')]);
  return (settings: Settings, engines: Engines) => wire(settings, engines, [area.orders]);
};

/** Shows products and their use. */
export const products = async () => {
  const [wire, area] = await Promise.all([bootstrap(), import('../composition/areas/products.ts')]);
  return (settings: Settings, engines: Engines) => wire(settings, engines, [area.products]);
};
