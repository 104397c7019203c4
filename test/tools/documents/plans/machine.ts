import { productEntry, releaseEntry } from '../../../support/store-folder.ts';
import type { Plan } from '../plan.ts';

/** A folder in the place of the machine's root. */
const ROOT = '$ROOT';

const inRoot = (paths: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(paths.map((path) => [path, `${ROOT}${path}`]));

/** The operator's command of the machine, with the folder for the machine's root and without another user. */
const OF_THIS_USER = `sed -i "s#/etc/#$ROOT/etc/#; s#/var/#$ROOT/var/#g; s#/opt/#$ROOT/opt/#; s#runuser -u account-service --##; s#/usr/local/bin/node#${process.execPath}#" $ROOT/usr/local/bin/account-service`;

/** Starts the service with the settings of its unit. */
const SERVE = [
  'set -a; . $ROOT/etc/account-service/account-service.env; DATA_DIR=$ROOT/var/lib/account-service; set +a',
  'METRICS_PORT=9464 SAMPLE_STORE=never npm start',
];

/** The plans of the documents about machines of production. */
export const MACHINE: Readonly<Record<string, Plan>> = {
  'docs/production.md': {
    store: 'none',
    files: {
      'my-store.json': JSON.stringify({
        format: 1,
        products: [productEntry({ id: 1, slug: 'tool' })],
        releases: [releaseEntry({ id: 1 })],
      }),
      'tool.zip': 'tool',
    },
    before: {
      'SHOP=': [
        'ROOT=$(dirname "$PWD")/root',
        'for name in opt usr/local/bin etc/systemd/system etc/caddy etc/nginx/conf.d var/tmp srv/shop; do mkdir -p $ROOT/$name; done',
        'mv my-store.json tool.zip $ROOT/srv/shop',
        'export PATH=$ROOT/usr/local/bin:$PATH',
      ],
      'account-service import': [OF_THIS_USER],
      'curl -sS -H': SERVE,
      'ls /var/backups/account-service': ['account-service backup $ROOT/var/backups/account-service --keep 14'],
    },
    values: {
      ...inRoot(['/opt/', '/etc/account-service', '/etc/systemd/', '/etc/caddy/', '/etc/nginx/', '/srv/']),
      ...inRoot(['/var/lib', '/var/cache/', '/var/backups', '/var/tmp/']),
      '/usr/local/bin/account-service': `${ROOT}/usr/local/bin/account-service`,
      '-o account-service -g account-service ': '',
    },
  },
};
