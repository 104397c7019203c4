import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { SIGNERS } from '../../support/payment-bodies.ts';
import { bodiesOf, SCENARIOS, type Scenario } from '../../support/scenarios.ts';

/* Each body in the book of sequences has the shape that its provider's own package declares for that version. */

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../../..');

/** JSON has decimals as strings. */
const WIRE = `
  type Wire<T> = T extends Stripe.Decimal ? string
    : T extends string | number | boolean | null | undefined ? T
    : { [Name in keyof T]: Wire<T[Name]> };`;

const PADDLE: Readonly<Record<string, string>> = {
  customer: 'ICustomerNotificationResponse',
  transaction: 'ITransactionNotificationResponse',
  subscription: 'ISubscriptionNotificationResponse',
  'subscription.created': 'ISubscriptionCreatedNotificationResponse',
  adjustment: 'IAdjustmentNotificationResponse',
};

/** The lines before the bodies, the type of a body, and further files and settings of the compiler. */
type Shapes = {
  readonly head: string;
  readonly typeOf: (event: { readonly type: string; readonly event_type: string }) => string;
  readonly files?: readonly string[];
};

const SHAPES: Readonly<Record<string, Shapes>> = {
  'stripe 2026-10-28.endive': {
    head: `import type { Stripe } from 'stripe';\n${WIRE}`,
    typeOf: ({ type }) => `Wire<Extract<Stripe.Event, { type: '${type}' }>>`,
  },
  // The package of an older version itself declares the module `stripe`.
  'stripe 2024-06-20': {
    head: "import type { Stripe } from 'stripe';",
    typeOf: ({ type }) => `Extract<Stripe.Event, { type: '${type}' }>`,
    files: [join(ROOT, 'test/peers/node_modules/stripe-2024-06-20/types/index.d.ts')],
  },
  'paddle 1': {
    head: "import type * as Paddle from '@paddle/paddle-node-sdk';",
    typeOf: ({ event_type }) => {
      const [entity = ''] = event_type.split('.');
      return `{ event_id: string; event_type: string; occurred_at: string; notification_id: string; data: Paddle.${PADDLE[event_type] ?? PADDLE[entity]} }`;
    },
  },
};

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

/** The compiler's errors in a file. */
const faultsOf = (text: string, files: readonly string[]): string[] => {
  const file = join(ROOT, 'shapes.ts');
  const host = ts.createCompilerHost(OPTIONS);
  const [exists, read, source] = [host.fileExists, host.readFile, host.getSourceFile];
  host.fileExists = (name) => name === file || exists(name);
  host.readFile = (name) => (name === file ? text : read(name));
  host.getSourceFile = (name, options, ...rest) =>
    name === file ? ts.createSourceFile(name, text, options) : source(name, options, ...rest);
  const program = ts.createProgram([file, ...files], OPTIONS, host);
  const lines = text.split('\n');
  return ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map(({ start = 0, messageText }) => {
    const line = text.slice(0, start).split('\n').length - 1;
    return `${lines[line - 1]} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
};

/** Polar's own reader of signed events, loaded by `require` and so without its types. */
const require = createRequire(import.meta.url);
const { validateEvent } = require('@polar-sh/sdk/webhooks');

/** The package declares these events, but its reader of signed events does not support them yet. */
const UNREAD = /subscription\.(paused|resumed)/;

/** The event as Polar's package reads it: the signed body, or only the body if its reader does not support the type. */
const readByPolar = (body: string): unknown => {
  const { sign, secret } = SIGNERS.polar;
  const [, name] = UNREAD.exec(JSON.parse(body).type) ?? [];
  if (name === undefined) return validateEvent(body, sign(body), secret);
  const shape = require(`@polar-sh/sdk/models/components/webhooksubscription${name}payload.js`);
  return shape[`webhookSubscription${name === 'paused' ? 'Paused' : 'Resumed'}PayloadFromJSON`](body).value;
};

const versionOf = ({ provider, version }: Scenario): string => `${provider} ${version}`;

const allOf = (name: string): [scenario: string, body: string][] =>
  SCENARIOS.filter((one) => versionOf(one) === name).flatMap((one) =>
    bodiesOf(one).map((body): [string, string] => [one.name, body]),
  );

describe('the bodies of the event sequences', () => {
  test.each(Object.entries(SHAPES))('the bodies of %s have the shapes of the provider’s package', (name, shapes) => {
    const bodies = allOf(name).map(
      ([scenario, body]) => `// ${scenario}\n(${body}) satisfies ${shapes.typeOf(JSON.parse(body))};`,
    );
    expect(bodies.length).toBeGreaterThan(20);
    expect(faultsOf([shapes.head, ...bodies].join('\n'), shapes.files ?? [])).toEqual([]);
  });

  test('Polar’s own package reads the bodies of Polar', () => {
    const bodies = allOf('polar 2026-04');
    expect(bodies.length).toBeGreaterThan(10);
    for (const [scenario, body] of bodies)
      expect(readByPolar(body), scenario).toMatchObject({ type: JSON.parse(body).type });
  });

  test('every scenario has a version whose shapes are checked', () => {
    const versions = [...Object.keys(SHAPES), 'polar 2026-04', 'shop 1'];
    expect([...new Set(SCENARIOS.map(versionOf))].toSorted()).toEqual(versions.toSorted());
  });
});
