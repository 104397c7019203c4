import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSigned } from '../../support/certificate.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');

/* The unchanged configuration files of the proxies, with the ports, certificate and folders of a test. */

export type Ports = { readonly service: number; readonly http: number; readonly https: number };
export type Proxy = { readonly name: string; readonly start: (folder: string, ports: Ports) => ChildProcess };

/**
 * Replaces parts of a file. Throws if a part is missing, because the test would then use another configuration than
 * intended.
 */
const replaced = (file: string, parts: readonly (readonly [string | RegExp, string])[]): string =>
  parts.reduce(
    (text, [from, to]) => {
      const next = text.replaceAll(typeof from === 'string' ? from : new RegExp(from.source, 'g'), to);
      if (next === text) throw new Error(`${file} has no ${from}.`);
      return next;
    },
    readFileSync(join(PROJECT, file), 'utf8'),
  );

/** Creates a certificate for these names, as `key.pem` and `cert.pem`. */
export const makeCertificate = (folder: string, names: readonly string[]): void => {
  const { key, cert } = selfSigned(...names);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'cert.pem'), cert);
};

const nginx: Proxy = {
  name: 'nginx',
  start: (folder, { service, http, https }) => {
    const conf = replaced('infra/machine/nginx/account-service.conf', [
      ['127.0.0.1:8787', `127.0.0.1:${service}`],
      [/ {4}listen \[::\]:.*\n/, ''],
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ', `listen 127.0.0.1:${https} `],
      ['/etc/letsencrypt/live/shop.example.com/fullchain.pem', join(folder, 'cert.pem')],
      ['/etc/letsencrypt/live/shop.example.com/privkey.pem', join(folder, 'key.pem')],
    ]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(join(folder, 'account-service.conf'), conf);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; events {}
       http { access_log off; ${temporary.join(' ')} include ${folder}/account-service.conf; }\n`,
    );
    return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { PATH: `${process.env['PATH']}:/usr/sbin` },
    });
  },
};

const caddy: Proxy = {
  name: 'Caddy',
  start: (folder, { service, http, https }) => {
    const conf = replaced('infra/machine/caddy/Caddyfile', [
      ['127.0.0.1:8787', `127.0.0.1:${service}`],
      ['\n{\n', `\n{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${http}\n\thttps_port ${https}\n`],
      ['account.shop.example.com {\n', `account.shop.example.com {\n\ttls ${folder}/cert.pem ${folder}/key.pem\n`],
    ]);
    writeFileSync(join(folder, 'Caddyfile'), conf);
    return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
  },
};

export const PROXIES: readonly Proxy[] = [nginx, caddy];

/** Ends a proxy by SIGTERM. */
export const stopProxy = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
};
