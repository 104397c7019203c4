import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { LANGUAGES } from '../../../../domain/shared/language.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { letIn, PASSWORD } from '../../../support/account-pages.ts';
import {
  aBill,
  aDevice,
  anArtifact,
  anEntitlement,
  anInvoice,
  anOrder,
  anOrderItem,
  aPaymentMethod,
  aProduct,
  aRelease,
  aSubscription,
  NOW,
} from '../../../support/builders.ts';
import { put, storedFile } from '../../../support/contents.ts';
import { done } from '../../../support/outcomes.ts';
import { passed } from '../../../support/permits.ts';
import { aContent, aDisclosure } from '../../../support/public-builders.ts';
import type { AccountHost } from '../account-host.ts';

/* A shop and an account with all texts at their maximum length, in scripts with different line-breaking rules. */

/** Forty characters and more without a break opportunity. */
const WORDS = {
  latin: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  wide: 'W'.repeat(40),
  korean: '대한민국임시정부수립기념관디지털기록보관소열람프로그램전문가용확장판모음집',
  emoji: '👩‍👩‍👧‍👦'.repeat(14),
  rtl: 'مستودعالبياناتالمركزيةلتطبيقاتالحاسوبالمكتبيةالمتقدمةللمحترفين',
} as const;

const EVERY = Object.values(WORDS);
const of = (n: number): string => EVERY[n % EVERY.length] as string;

/** The longest valid email address. */
const LONG_EMAIL = `${'w'.repeat(64)}@${'m'.repeat(63)}.${'n'.repeat(63)}.${'o'.repeat(55)}.com`;

const SHOP = {
  product_url: null,
  product_detail_url: null,
  name: WORDS.latin,
  languages: LANGUAGES,
  links: { site: { en: 'https://shop.example' }, terms: { en: 'https://shop.example/terms' } },
  withdrawal: { days: 7, time_zone: 'America/Argentina/ComodRivadavia', terms_url: null },
} as const;

const permit = grantPermit();

const fillCatalog = async ({ service }: AccountHost, count: number): Promise<void> => {
  const file = await storedFile(service, 'a file');
  const nested = EVERY.map((word, n) => `${'  '.repeat(n)}- ${word}\n`).join('');
  const cells = `|${EVERY.join('|')}|\n|${'-|'.repeat(EVERY.length)}\n|${EVERY.join('|')}|\n`;
  const markdown = `# ${WORDS.latin}\n\n${EVERY.join('\n\n')}\n\n${nested}\n${'> '.repeat(39)}${WORDS.wide}\n\n${cells}\n\`${WORDS.wide}\`\n\n    ${WORDS.latin.repeat(3)}\n`;
  const guide = { path: 'guide.md', content_type: 'text/markdown', ...(await storedFile(service, markdown)) };
  const manual = {
    summary: WORDS.latin,
    requirements: EVERY,
    install_steps: EVERY,
    verification_steps: EVERY,
    troubleshooting: EVERY,
  };
  const ids = Array.from({ length: count }, (_, n) => n + 1);
  const text = (n: number) => ({ en: of(n), ko: of(n) });
  await put(service, {
    storefront: SHOP,
    disclosure: {
      en: { ...aDisclosure().en, company_name: WORDS.wide, address: WORDS.latin, email: LONG_EMAIL },
      ko: { ...aDisclosure().ko, company_name: WORDS.korean, address: WORDS.latin, email: LONG_EMAIL },
    },
    products: ids.map((id) =>
      aProduct({
        id,
        name: text(id - 1),
        type_label: text(id),
        description: text(id + 1),
        device_limit: 3,
        license_keys: true,
        manual: id === 1 ? { en: manual, ko: manual } : null,
        setup_steps: EVERY.map((one) => ({ en: one, ko: one })),
        mcp_server: { enabled: true, tools: [{ id: 1, name: WORDS.latin, enabled: true }] } as never,
      }),
    ),
    entitlements: ids.map((id) => anEntitlement({ id, product_id: id })),
    productContents: [aContent({ usage_path: guide.path, assets: [guide] })],
    releases: ids.slice(0, EVERY.length).flatMap((product_id) =>
      (['darwin-arm64', 'linux-amd64'] as const).map((platform, n) =>
        aRelease({
          id: product_id * 10 + n,
          product_id,
          version: `1.${n}.0-${'alpha'.repeat(9)}`,
          channel: 'beta',
          notes_en: of(product_id),
          notes_ko: of(product_id),
          artifacts: [anArtifact({ platform, filename: `${WORDS.latin}.zip`, ...file })],
        }),
      ),
    ),
  });
};

const fillAccount = async ({ service }: AccountHost): Promise<void> => {
  const url = `https://pay.example/${'p'.repeat(200)}`;
  await put(service, {
    accounts: [anAccount({ email: LONG_EMAIL, name: WORDS.wide, password_hash: `salt:${PASSWORD}` })],
    orders: EVERY.map((_, n) =>
      anOrder({
        id: n + 1,
        number: `${'N'.repeat(59)}${n}`,
        payment_method: 'banktransfer',
        subscription_name: { en: of(n), ko: of(n) },
        ...(n === 0 && { withdrawal: { declared_at: NOW, ticket_id: 1 } }),
        receipt_url: url,
        currency: 'KRW',
        ordered_at: NOW,
        items: [0, 1].map((m) =>
          anOrderItem({
            id: n * 2 + m + 1,
            product_id: (n % EVERY.length) + 1,
            product_name: { en: of(n + m), ko: of(n + m) },
            unit_price_cents: 99_999_999,
            quantity: 9999,
            subtotal_cents: 99_999_999_999,
            discount_total_cents: 1,
            total_cents: 99_999_999_998,
          }),
        ),
        refunds: [{ refunded_at: NOW, item_ids: [n * 2 + 1], keeps_access: true, reason: null }],
      }),
    ),
    invoices: [anInvoice({ number: 'I'.repeat(60), order_id: 1, pdf_url: url, receipt_url: url })],
    paymentMethods: [aPaymentMethod({ brand: WORDS.wide })],
    subscriptions: [
      aSubscription({
        product_ids: [1, 2],
        billing: aBill({
          order_id: 1,
          order_number: 'N'.repeat(60),
          offer: { code: 'x', name: { en: WORDS.wide, ko: WORDS.wide } },
        }),
      }),
    ],
  });
  for (const [n, name] of EVERY.entries()) {
    const product = (n % 2) + 1;
    const { slots } = await service.get('devices').find(1, product, null);
    const device = aDevice({
      device_id: `${n}`.padEnd(255, 'f'),
      name: n === 0 ? null : [...name].slice(0, 50).join(''),
    });
    await service.get('devices').activate(permit, 1, product, device, slots);
  }
  for (const name of EVERY.slice(0, 2)) {
    done(await service.get('createApiKey')(permit, { account_id: 1, name }));
  }
  const device = { device_id: '0'.padEnd(255, 'f'), name: WORDS.wide };
  done(
    await service.get('createApiKey')(permit, { account_id: 1, name: WORDS.wide, device: { client: 'cli', device } }),
  );
  await letIn(
    service,
    EVERY.map((client_name, n) => ({
      grant_id: `grant-${n}`,
      account_id: 1,
      client_id: 'client',
      client_name,
      redirect_host: `${'h'.repeat(63)}.${'i'.repeat(63)}.example`,
      permissions: ['products.read', 'mcp.read'],
      created_at: NOW,
      last_used_at: service.get('clock').now(),
    })),
  );
  for (const summary of EVERY) {
    const report = {
      kind: 'general',
      summary,
      detail: summary.repeat(5),
      app_bundle_id: null,
      app_version: null,
      macos_version: null,
      device_id: null,
      product_id: 1,
    } as const;
    const received = { account_id: 1, body: report, files: { bundle: null } };
    const { ticket } = done(await passed(service.get('receiveSupportReport')(received), Promise.resolve(permit)));
    done(await service.get('answerTicket')(permit, { id: ticket.id, text: summary.repeat(3), close: false }));
  }
};

/**
 * Fills a host's store: with this many products, and with records of every kind for account 1, whose address becomes
 * `LONG_EMAIL`.
 */
export const fillHostile = async (host: AccountHost, products = 60): Promise<void> => {
  await fillCatalog(host, products);
  await fillAccount(host);
};
