import { type Asset, icon as iconAsset, script as scriptAsset, styleSheet } from '../../shared/assets.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5cad"/><rect x="6" y="7" width="12" height="18" rx="2" fill="#fff"/><rect x="20" y="7" width="6" height="8" rx="2" fill="#fff" opacity=".75"/><rect x="20" y="17" width="6" height="8" rx="2" fill="#fff" opacity=".5"/></svg>\n';

const style = styleSheet('gallery', STYLE);
const script = scriptAsset('gallery', SCRIPT);
const icon = iconAsset(ICON);

export const STYLE_PATH = style.path;
export const SCRIPT_PATH = script.path;
export const ICON_PATH = icon.path;

/** The files that the pages load, except images of screens. */
export const ASSETS: readonly Asset[] = [style, script, icon];
