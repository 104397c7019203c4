import { hash } from 'node:crypto';
import type { Router } from 'express';
import { revalidatedReply } from '../../host/reply.ts';
import type { HostHeaders } from '../../host/request.ts';
import { sendReply } from '../../http/node-requests.ts';
import type { Methods } from './methods.ts';

export type Asset = { readonly path: string; readonly type: string; readonly body: string };

/** An asset whose path changes with its content, so that browsers may cache it forever. */
const asset = (name: string, ending: string, type: string, body: string): Asset => ({
  path: `/assets/${name}-${hash('sha256', body, 'hex').slice(0, 12)}.${ending}`,
  type,
  body,
});

/** A style sheet without whitespace and zeros that only help its authors. */
export const compactStyle = (style: string): string =>
  style
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};>]) ?/g, '$1')
    .replaceAll(/([:,]) /g, '$1')
    .replaceAll(/\b0(?=\.\d)/g, '')
    .replaceAll(';}', '}');

export const styleSheet = (name: string, style: string): Asset =>
  asset(name, 'css', 'text/css; charset=utf-8', compactStyle(style));
export const script = (name: string, body: string): Asset => asset(name, 'js', 'text/javascript; charset=utf-8', body);
export const icon = (body: string): Asset => asset('icon', 'svg', 'image/svg+xml', body);

/** Caches may keep it for a year, the maximum. */
export const KEPT = 'public, max-age=31536000, immutable';

export const addAssets = (router: Router, methods: Methods, assets: readonly Asset[]): void => {
  for (const { path, type, body } of assets) {
    methods.add(path, 'GET');
    router.get(path, (req, res) =>
      sendReply(res, revalidatedReply({ headers: req.headers as HostHeaders }, body, type, KEPT)),
    );
  }
};
