import { all, type Elsewhere, type Reason } from './reason.ts';

const PACKAGES: Reason = {
  why: 'It installs programs on the machine; the same packages serve the tests of the proxies and of systemd.',
  by: ['.ci/run'],
};

const PRODUCTION: Reason = {
  why: 'It takes minutes and the network; the container’s files get their packages in the same way.',
  by: ['test/peers/machine/container.test.ts'],
};

const UNITS: Reason = {
  why: 'It needs a machine of its own with systemd; systemd examines the units, and their commands are compared.',
  by: ['test/peers/machine/units.test.ts'],
};

const PROXY: Reason = {
  why: 'It needs a public name, and the machine’s own proxy; both proxies run with these files in a folder.',
  by: ['test/peers/machine/proxies.test.ts'],
};

const CONTAINER: Reason = {
  why: 'It needs Docker; a linter reads the file, and its commands run on the files that it copies.',
  by: ['test/peers/machine/container.test.ts'],
};

/** The commands that need a machine of their own, or change the one they run on. */
export const ON_A_MACHINE: Elsewhere = {
  'docs/production.md': {
    ...all(PACKAGES, [
      'apt-get update',
      'apt-get install -y curl npm',
      'apt-get install -y caddy',
      'apt-get install -y nginx certbot',
      'npm install --global --prefix /usr/local node@24',
      '/usr/local/bin/node --version',
    ]),
    ...all(PRODUCTION, ['node "/opt/account-service-$VERSION/infra/machine/install.mjs"']),
    ...all(UNITS, [
      'useradd --system --home-dir /var/lib/account-service --shell /usr/sbin/nologin account-service',
      'systemctl daemon-reload',
      'systemctl enable --now account-service account-service-backup.timer account-service-doctor.timer',
      'systemctl start account-service-backup',
      'systemctl stop account-service',
      'systemctl start account-service',
      'systemctl --failed',
      "systemctl list-timers 'account-service*'",
      'journalctl -u account-service -o cat -n 20',
      'journalctl -u account-service -o cat',
      'journalctl -u account-service-doctor -o cat',
    ]),
    ...all(PROXY, [
      'systemctl reload caddy',
      'certbot certonly --webroot -w /var/www/html --cert-name "$SHOP" -d "api.$SHOP,design.$SHOP,app.$SHOP,account.$SHOP" --deploy-hook "systemctl reload nginx"',
      'nginx -t',
      'systemctl reload nginx',
      'curl -sS "https://api.$SHOP/healthz"',
    ]),
    ...all(CONTAINER, [
      'docker build -f infra/machine/Containerfile -t account-service:0.1.0 .',
      'docker volume create account-service',
      'docker run --rm -v account-service:/data -v /srv/shop:/srv/shop:ro account-service:0.1.0 node runtimes/cli/main.ts import /srv/shop/my-store.json',
      'docker run -d --name account-service --restart=always --network=host --cap-drop=ALL --security-opt=no-new-privileges --memory=2g --env-file /etc/account-service/account-service.env -e LISTEN_ADDRESS=127.0.0.1 -v account-service:/data account-service:0.1.0',
      'docker exec account-service node runtimes/cli/main.ts doctor',
      'install -d -o 1000 -g 1000 -m 700 /var/backups/account-service-container',
      'docker run --rm -v account-service:/data -v /var/backups/account-service-container:/backups account-service:0.1.0 node runtimes/cli/main.ts backup /backups --keep 14',
    ]),
  },
};
