// Ten calls by the client that @hey-api/openapi-ts generated into the folder api. Prints the answers.
import { client } from './api/client.gen.ts';
import * as api from './api/index.ts';

const { API_URL = '', API_KEY = '' } = process.env;
client.setConfig({ baseUrl: API_URL, auth: API_KEY, throwOnError: true });

const path = { product: 4 };
const [library, products, product, releases, update, plan, license, usage, report, invoices] = [
  await api.getLibrary({ throwOnError: true }),
  await api.listProducts({ throwOnError: true, query: { q: 'hash', sort: 'name' } }),
  await api.getProduct({ throwOnError: true, path }),
  await api.listReleases({ throwOnError: true, path }),
  await api.getUpdate({ throwOnError: true, path, query: { version: '1.0.0', platform: 'linux-amd64' } }),
  await api.planInstall({ throwOnError: true, path, query: { platform: 'linux-amd64' } }),
  await api.checkLicense({ throwOnError: true, body: { product_id: 4, device_id: 'generated' } }),
  await api.uploadUsage({
    throwOnError: true,
    body: { consent: true, days: [{ product_id: 4, usage_date: process.env['TODAY'] ?? '', launches: 3 }] },
  }),
  await api.reportProblem({
    throwOnError: true,
    headers: { 'Idempotency-Key': 'typescript' },
    body: { kind: 'general', summary: 'A report', detail: 'From a generated client.' },
  }),
  await api.listInvoices({ throwOnError: true, query: { limit: 5 } }),
];
console.log(
  JSON.stringify([
    library.data.items.length,
    products.data.products.map(({ id }) => id),
    product.data.product.name,
    releases.data.releases.length,
    update.data.update.update_available,
    plan.data.data.filename,
    'code' in license.data ? license.data.code : null,
    usage.data.stored,
    report.data.ticket.id,
    invoices.data.invoices.length,
  ]),
);
