import { type Asset, icon as iconAsset, script as scriptAsset, styleSheet } from '../../shared/assets.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5cad"/><circle cx="16" cy="12" r="5" fill="#fff"/><path d="M6 26a10 8 0 0 1 20 0z" fill="#fff"/></svg>\n';

const style = styleSheet('account', STYLE);
const script = scriptAsset('account', SCRIPT);
const icon = iconAsset(ICON);

export const STYLE_PATH = style.path;
export const SCRIPT_PATH = script.path;
export const ICON_PATH = icon.path;

/** The files that the pages load; they load nothing else. */
export const ASSETS: readonly Asset[] = [style, script, icon];
