import { hash } from 'node:crypto';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5cad"/><circle cx="16" cy="12" r="5" fill="#fff"/><path d="M6 26a10 8 0 0 1 20 0z" fill="#fff"/></svg>\n';

export type Asset = { readonly path: string; readonly type: string; readonly body: string };

/** An asset whose path changes with its content, so that browsers may keep it for ever. */
const asset = (name: string, ending: string, type: string, body: string): Asset => ({
  path: `/assets/${name}-${hash('sha256', body, 'hex').slice(0, 12)}.${ending}`,
  type,
  body,
});

const style = asset('account', 'css', 'text/css; charset=utf-8', STYLE);
const script = asset('account', 'js', 'text/javascript; charset=utf-8', SCRIPT);
const icon = asset('icon', 'svg', 'image/svg+xml', ICON);

export const STYLE_PATH = style.path;
export const SCRIPT_PATH = script.path;
export const ICON_PATH = icon.path;

/** The files that the pages load; they load nothing else. */
export const ASSETS: readonly Asset[] = [style, script, icon];
