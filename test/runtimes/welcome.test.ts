import { describe, expect, test } from 'vitest';
import { byHost } from '../../ports/inbound/hosts.ts';
import { type StartFacts, welcome } from '../../runtimes/express/welcome.ts';

const URLS = byHost((host) => `http://${host}`);
const SHOP = { account_id: 7, product: 'lamp', isSample: false };

const said = (found: Partial<StartFacts>): string =>
  welcome(URLS, {
    legacy: undefined,
    metrics: undefined,
    setup: null,
    demo: null,
    shop: SHOP,
    cli: 'cli',
    installed: false,
    place: 'DATA_DIR .data',
    alone: true,
    ...found,
  });

describe('the welcome of a store with data', () => {
  test('the commands name an existing account', () => {
    expect(said({})).toContain('cli key create --account 7 --name mine');
    expect(said({})).toContain('This store has data already.');
  });

  test('without an account the first command adds one, and the next gives it an existing product', () => {
    const text = said({ shop: { ...SHOP, account_id: null } });
    expect(text).toContain('cli account add --email buyer@example.com --password');
    expect(text).toContain('cli grant --account ID --product lamp');
    expect(text).not.toMatch(/--account \d/);
  });

  test('without a product the first command imports some', () => {
    const text = said({ shop: { ...SHOP, product: null } });
    expect(text).toContain('cli import my-store.json');
    expect(text).toContain('cli key create --account 7');
  });

  test('the sample store of an earlier start is named as such', () => {
    expect(said({ shop: { account_id: 1, product: 'hashcheck', isSample: true } })).toContain(
      'This is the sample store of an earlier start; account 1 is its demo account.',
    );
  });
});

test('a shop without a member gets the link that creates the first one, once', () => {
  const link = 'http://shop/setup?code=abc';
  expect(said({ setup: link }).split(link)).toHaveLength(2);
  expect(said({})).not.toContain('/setup');
});

describe('the welcome of an empty store', () => {
  const EMPTY = { shop: { account_id: null, product: null, isSample: false } };

  test('the welcome says which store is empty, and lists the commands that fill it', () => {
    const text = said({ ...EMPTY, place: 'DATA_DIR /srv/shpo' });
    expect(text).toContain('This store is empty: DATA_DIR /srv/shpo has no products and no accounts.');
    for (const command of ['import', 'account add', 'grant', 'key create', 'doctor']) {
      expect(text).toContain(`  cli ${command}`);
    }
    expect(text).toContain('SAMPLE_STORE=always');
  });
});

describe('the welcome of a first start', () => {
  const demo = { email: 'e', password: 'p', key: 'k', product_id: 4, agentToken: 't', appId: 3 };

  test('the welcome says which calls the demo key can’t make', () => {
    expect(said({ demo })).toContain(
      'account-wide, with every ability; calls that need a key bound to one product answer 403',
    );
  });

  test('the welcome shows the collector’s command in a checkout, and not in an installed package', () => {
    expect(said({ demo })).toContain('node examples/collector/main.ts');
    expect(said({ demo, installed: true })).not.toContain('examples/');
  });

  test('the welcome says whether other machines can reach the server', () => {
    expect(said({ demo })).toContain(
      'Only this machine reaches these ports; LISTEN_ADDRESS=0.0.0.0 opens them to others.',
    );
    expect(said({ demo, alone: false })).not.toContain('Only this machine');
  });
});
