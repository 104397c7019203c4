import { dirname } from 'node:path';
import { goProgram } from '../../clients/harness.ts';
import type { Plan, Said } from './plan.ts';

const idOf =
  (command: string) =>
  (said: Said): string =>
    /\d{6,}/.exec(said(command))?.[0] ?? 'none';

/** A shell word: a field of the JSON that a command of the project prints. */
const printed = (member: string, command: string): string =>
  `$(npm run -s cli -- ${command} --json | node -p 'JSON.parse(fs.readFileSync(0)).${member}')`;
const tokenOf = (role: string): string => printed('token', `agent-token create --role ${role} --name ${role}`);
const DEVICE_KEY = printed(
  'key',
  'key create --account 1 --name app --abilities products.read,device.entitlements,device.install,device.usage',
);

const START = ['npm start', 'export DESIGN_URL=http://127.0.0.1:8788'];

const openRun = (token: string): string =>
  `$(curl -sS "$DESIGN_URL/api/agent/collect/runs" -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' -d '{"viewports": ["desktop"], "langs": ["en"], "apps": null}' | jq .run.id)`;

/** Replaces the link to a machine's program by a copy that runs in a folder, as the shell's own user. */
const TO_ROOT = `sed -i "s#/etc/#$ROOT/etc/#; s#/var/#$ROOT/var/#g; s#/opt/#$ROOT/opt/#; s#runuser -u account-service --##; s#/usr/local/bin/node#${process.execPath}#" $ROOT/usr/local/bin/account-service`;

/** Replaces a machine's paths by those in a folder. */
const inRoot = (...paths: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(paths.map((path) => [path, `$ROOT${path}`]));

const COLLECT_LITTLE = { 'main.ts --design': 'main.ts --pages sign-in --viewports desktop --langs en --design' };

/** The plans by document. A document without one runs on the sample store without changes. */
export const PLANS: Readonly<Record<string, Plan>> = {
  'README.md': {
    store: 'none',
    values: {
      // A copy has the project's packages, which `npm ci` would delete.
      'npm ci && npm start': 'npm start',
      'svc_…': (said) => /svc_\w+/.exec(said('npm start'))?.[0] ?? 'none',
    },
    refused: { 'for device in': 22 },
    prints: {
      'DATA_DIR=my-shop': /\/setup\?code=\w+/,
      'for device in': /(?:"valid":true[\s\S]*){3}All 3 devices are in use; release one, then check again\./,
      'check-license.ts': /^This license is valid\. \S+\.\S+\.\S+$/m,
    },
  },
  'docs/agents.md': {
    values: { 'svc_…': (said) => /svc_\w+/.exec(said('key create'))?.[0] ?? 'none' },
    prints: { 'tools/list': /"check_license"/ },
  },
  'docs/backup.md': {
    before: { 'rm -rf drill': ['Ctrl+C'] },
    values: { '--from PLACE --to PLACE': '--from folder:.data --to folder:moved' },
    prints: { 'import shop-export': /^releases +0 +0 +[1-9]|^storefront +1/m },
  },
  'docs/commands.md': {
    // A running server would have counted the orders.
    before: { 'sums export': ['npm run -s cli -- sums rebuild'] },
    values: {
      '--account ID': (said) => `--account ${idOf('account add')(said)}`,
      'revoke KEY': (said) => `revoke ${idOf('key create')(said)}`,
    },
    prints: {
      'erase buyer@example.com --dry-run': /^Nothing has changed/,
      'erase buyer@example.com --yes': /is erased/,
    },
  },
  'docs/design-host.md': {
    before: {
      '/captures': [
        'export DESIGN_URL=http://127.0.0.1:8788; cp docs/pictures/gallery-phone.png page.png',
        `RUN=${openRun('$DESIGN_TOKEN')}`,
      ],
      'api=http': [`WRITE=${tokenOf('write')}`, `REVIEW=${tokenOf('review')}`, `READ=${tokenOf('read')}`],
    },
    values: {
      'revoke ID': (said) => `revoke ${idOf('agent-token create')(said)}`,
      'agt_…': tokenOf('collect'),
      ...COLLECT_LITTLE,
      // The collector's run is the oldest.
      ' RUN': (said) =>
        ` ${said('collect list')
          .match(/\d{6,}/g)
          ?.at(-1)}`,
      'key=…': `key=${'a'.repeat(40)}`,
      'url=…': 'url=https://shop.example.com/',
      '"$UPLOAD_URL"': (said) => `'${JSON.parse(said('/captures')).uploads.image.url}'`,
    },
  },
  'docs/production.md': {
    store: 'none',
    before: {
      'SHOP=': [
        'ROOT=$(dirname "$PWD")/root',
        'for name in opt usr/local/bin etc/systemd/system etc/caddy etc/nginx/conf.d var/tmp srv/shop; do mkdir -p $ROOT/$name; done',
        'cp -r examples/store/. $ROOT/srv/shop && mv $ROOT/srv/shop/store.json $ROOT/srv/shop/my-store.json',
        // A public server refuses the sample store's passwords.
        `sed -i 's/"\\(demo\\|other\\)-password"/"a private password"/' $ROOT/srv/shop/my-store.json`,
        'export PATH=$ROOT/usr/local/bin:$PATH',
      ],
      'account-service import': [
        TO_ROOT,
        'sed "s#/var/#$ROOT/var/#" infra/machine/defaults.env > $ROOT/defaults.env',
        'export ACCOUNT_SERVICE_DEFAULTS=$ROOT/defaults.env',
        // The installation would download the packages before it bundles the program.
        'ln -s "$PWD/node_modules" $ROOT/opt/account-service/ && node --preserve-symlinks-main $ROOT/opt/account-service/infra/machine/bundle.mjs',
      ],
      // The rollback points to the program of its version again.
      'cp -r /opt/account-service/infra': ['[ -L $ROOT/usr/local/bin/account-service ]', TO_ROOT],
      'curl -sS -H': [
        'set -a; . $ROOT/etc/account-service/account-service.env; DATA_DIR=$ROOT/var/lib/account-service; set +a',
        'METRICS_PORT=9464 SAMPLE_STORE=never npm start',
      ],
      'ls /var/backups/account-service': ['account-service backup $ROOT/var/backups/account-service --keep 14'],
    },
    values: {
      ...inRoot('/opt/', '/etc/account-service', '/etc/systemd/', '/etc/caddy/', '/etc/nginx/', '/srv/'),
      ...inRoot('/var/lib', '/var/cache/', '/var/backups', '/var/tmp/', '/usr/local/bin/account-service'),
      '-o account-service -g account-service ': '',
    },
    prints: { '/metrics': /^account_service_build_info/m },
  },
  'docs/releases.md': {
    files: {
      'hashcheck-1.3.0': 'echo 1.3.0\n',
      'Pocket-Memo-2.3.zip': 'The application.',
      'Pocket-Memo-2.3-from-2.2.delta': 'A patch.',
      'notes.en.md': 'New.\n',
      'sparkle.key': `${Buffer.alloc(32, 1).toString('base64')}\n`,
    },
    prints: { '--dry-run': /^Nothing has changed/ },
  },
  'docs/selling.md': {
    values: {
      // The sender doesn't know the server's port.
      'npx node examples/send-sale.ts': 'API_URL=http://127.0.0.1:8787 npx node examples/send-sale.ts',
      'refund NUMBER': (said) => `refund ${/\d{8}-[0-9A-Z]+/.exec(said('order list'))?.[0] ?? 'none'}`,
    },
    prints: {
      'send-sale.ts order-1001': /"state":"done"/,
      'until ls': /\.eml/,
      'license/check': /"code":"(?:valid|entitlement_revoked)"/,
      'key list': /License key +live/,
    },
  },
  'docs/licenses.md': {
    before: { 'license/trial': ['npm start'] },
    prints: { 'license/trial': /"access_source":"trial"/, '--days 30': /^The trial began at / },
  },
  'docs/licenses-walk.md': {
    store: 'none',
    values: {
      // The sender doesn't know the server's port.
      'npx node examples/send-sale.ts': 'API_URL=http://127.0.0.1:8787 npx node examples/send-sale.ts',
      'refund NUMBER': (said) => `refund ${/\d{8}-[0-9A-Z]+/.exec(said('order list'))?.[0] ?? 'none'}`,
      'extend GRANT': (said) => `extend ${/\d+/.exec(said('grant list'))?.[0] ?? 'none'}`,
      'transfer GRANT': (said) =>
        `transfer ${/(\d+) .* active .* basic /.exec(said('list --account ada'))?.[1] ?? 'none'}`,
      'BATCH --yes': (said) => `${/\d+/.exec(said('key batches'))?.[0] ?? 'none'} --yes`,
    },
    refused: { 'for machine in': 22 },
    prints: {
      'license/trial': /"edition":"pro"/,
      'walk-2': /"state":"done"/,
      'for machine in': /"valid":true[\s\S]*"session_limit_reached"/,
      'extend GRANT': /./,
      'license/check': /"valid":true/,
      'key batches': /Newsletter +\S+ +99 +1 /,
      'export-offline': /^Wrote /,
    },
  },
  'docs/running.md': { prints: { '/healthz': /"ok"/ } },
  'docs/licensing-your-app.md': {
    before: {
      'npm install': ['cp $REPO/app.* .', `KEY=${DEVICE_KEY.replace('npm', 'npm --prefix $REPO')}`],
      'go mod init': [`export PATH=${dirname(goProgram)}:$PATH`],
    },
    values: {
      'lic_…': '$KEY',
      // pip would download the packages for building and signing.
      'venv venv': 'venv --system-site-packages venv',
      'venv/bin/pip install $REPO/clients/python':
        'echo $REPO/clients/python > $(echo venv/lib/python3*/site-packages)/client.pth',
    },
    prints: {
      'product list': /^ 4 +hashcheck/m,
      '# Locked': /^Locked: This device has no license key; paste it, or sign in\.$/m,
      'lic_…': /^The feature runs\./,
      'still, and': /^The feature runs\./,
    },
  },
  'docs/your-app.md': {
    values: {
      'svc_…': DEVICE_KEY,
      'device_code=…': (said) => `device_code=${JSON.parse(said('device_authorization')).device_code}`,
    },
    // The answer is `authorization_pending` until the buyer has approved the code.
    refused: { 'device_code=…': 22 },
    prints: {
      'license.ts': /^200 valid This license is valid\./,
      'offline.ts': /^licensed until 20/,
      'policy.ts': /min_client_version/,
      'install.ts': /^hashcheck-\S+ 1\./,
      '/updates?': /"update_available":true/,
      'device_code=…': /authorization_pending/,
    },
  },
  'examples/collector/README.md': {
    values: { 'agt_…': (said) => /agt_\w+/.exec(said('agent-token create'))?.[0] ?? 'none', ...COLLECT_LITTLE },
  },
  'examples/store/sources/library-keeper/library-keeper/SKILL.md': {
    before: {
      'api() {': ['npm start', 'export ACCOUNT_API_URL=http://127.0.0.1:8787', `export ACCOUNT_API_KEY=${DEVICE_KEY}`],
    },
  },
  'adapters/design/skill/SKILL.md': { before: { manifest: [...START, `TOKEN=${tokenOf('read')}`] } },
  'adapters/design/skill/references/collecting.md': {
    files: { 'home.html': '<title>Home</title>', 'site.css': 'p { color: red }' },
    before: {
      'run=$(': ['cp docs/pictures/gallery-phone.png home.png', ...START, `TOKEN=${tokenOf('collect')}`],
      'url=$(': [`run=${openRun('$TOKEN')}`, 'cp docs/pictures/gallery-desktop.png home.png'],
      '[ -z': ['[ -n "$url" ]'],
    },
  },
  'adapters/design/skill/references/gallery.md': { before: { taxonomy: START } },
  'adapters/design/skill/references/writing.md': {
    files: { 'principles.md': '# Principles\n' },
    before: {
      'docs/design-principles" -H': [...START, `TOKEN=${tokenOf('read')}`],
      'jq -n': [`TOKEN=${tokenOf('write')}`],
    },
  },
};
