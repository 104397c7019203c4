import type { Browser } from 'playwright-core';
import type { Screen } from '../../../../domain/design/gallery/screen.ts';
import type { StoredImage } from '../../../../domain/shared/stored-file.ts';
import type { ObjectStore } from '../../../../ports/outbound/object-store.ts';
import { aDesktopScreen } from '../../../support/gallery-builders.ts';
import { stored } from './stored.ts';

/* Screens with real pictures: small pages that Chromium renders. */

type Mock = {
  readonly title: string;
  readonly app: Screen['app'];
  readonly flow: string;
  readonly kind: string;
  readonly lang: Screen['lang'];
  readonly mode: Screen['mode'];
  readonly accent: string;
  readonly body: string;
};

const field = (label: string): string => `<label>${label}<input></label>`;
const row = (text: string): string => `<li><i></i><div><b>${text}</b><p>${text} · 2026</p></div></li>`;
const tile = (text: string): string => `<div class="t"><i></i><b>${text}</b><p>9,000</p></div>`;

const PAGES: readonly Mock[] = [
  [
    'Sign in',
    'accounts',
    'Sign in',
    'sign-in',
    'en',
    'light',
    '#0b5cad',
    `<form><h1>Sign in</h1>${field('Email')}${field('Password')}<button>Sign in</button></form>`,
  ],
  [
    'Check your mail',
    'accounts',
    'Sign in',
    'message',
    'en',
    'light',
    '#0b5cad',
    `<form><h1>Check your mail</h1><p>We sent a link to you.</p><button>Open mail</button></form>`,
  ],
  [
    '내 제품',
    'accounts',
    'Library',
    'list',
    'ko',
    'dark',
    '#7c5cff',
    `<h1>내 제품</h1><ul>${['해시체크', '메모', '사진 정리', '달력', '녹음기'].map(row).join('')}</ul>`,
  ],
  [
    'API keys',
    'accounts',
    'Keys',
    'list',
    'en',
    'light',
    '#0f766e',
    `<h1>API keys</h1><ul>${['Build server', 'Laptop', 'Backup'].map(row).join('')}</ul><button>New key</button>`,
  ],
  [
    '에셋 상점',
    'asset',
    'Browse',
    'gallery',
    'ko',
    'light',
    '#d9480f',
    `<h1>에셋 상점</h1><div class="g">${['숲', '바다', '도시', '사막', '눈', '동굴'].map(tile).join('')}</div>`,
  ],
  [
    'Asset details',
    'asset',
    'Browse',
    'detail',
    'en',
    'dark',
    '#e64980',
    `<div class="g two"><div class="t big"><i></i></div><div><h1>Forest pack</h1><p>Sixty trees, in four seasons.</p><button>Add to cart</button></div></div>`,
  ],
  [
    '강의 목록',
    'lecture',
    'Learn',
    'gallery',
    'ko',
    'light',
    '#2f9e44',
    `<h1>강의</h1><div class="g">${['타입스크립트', '디자인', '접근성'].map(tile).join('')}</div><ul>${['1강', '2강', '3강'].map(row).join('')}</ul>`,
  ],
  [
    'A ticket with a very long title that says everything that happened, in one breath, without ever stopping',
    'support',
    'Ask for help',
    'form',
    'en',
    'light',
    '#495057',
    `<form><h1>How can we help?</h1>${field('Subject')}${field('What happened?')}<button>Send</button></form>`,
  ],
].map(
  ([title, app, flow, kind, lang, mode, accent, body]) =>
    ({ title, app, flow, kind, lang, mode, accent, body }) as Mock,
);

const htmlOf = ({ lang, mode, accent, body }: Mock): string => {
  const [page, sheet, text, line] =
    mode === 'dark' ? ['#14161a', '#1f2329', '#eceff3', '#343a42'] : ['#f6f7f9', '#ffffff', '#1d2127', '#dde1e6'];
  return `<!doctype html><html lang="${lang}"><meta name="viewport" content="width=device-width"><style>
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,"Noto Sans CJK KR",sans-serif;background:${page};color:${text}}
header{background:${accent};color:#fff;padding:14px 28px;font-weight:700;display:flex;justify-content:space-between}
main{max-width:960px;margin:32px auto;padding:0 24px}h1{margin:0 0 20px}p{opacity:.7;margin:0 0 12px}
form{max-width:420px;margin:40px auto;background:${sheet};padding:28px;border:1px solid ${line};border-radius:14px}
label{display:block;margin-bottom:14px;font-weight:600}input{display:block;width:100%;height:42px;border:1px solid ${line};border-radius:8px;background:${page}}
button{background:${accent};color:#fff;border:0;border-radius:8px;padding:12px 20px;font:inherit;font-weight:600}
ul{list-style:none;margin:0 0 20px;padding:0;background:${sheet};border:1px solid ${line};border-radius:14px}li{display:flex;gap:14px;padding:14px 18px;border-top:1px solid ${line}}
i{display:block;flex:none;width:44px;height:44px;border-radius:10px;background:linear-gradient(135deg,${accent},${sheet})}li p{margin:0}
.g{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:18px;margin-bottom:24px}.g.two{grid-template-columns:repeat(auto-fit,minmax(260px,1fr))}
.t{background:${sheet};border:1px solid ${line};border-radius:14px;padding:12px}.t i{width:100%;height:110px;margin-bottom:10px}.big i{height:320px}</style>
<header><span>Workshop</span><span>☰</span></header><main>${body}</main>`;
};

/** Renders a page, and stores the picture. `scale` is 1 for the full size. */
const drawn = async (
  browser: Browser,
  objects: ObjectStore,
  html: string,
  { width, height, scale }: { width: number; height: number; scale: number },
): Promise<StoredImage> => {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale });
  const page = await context.newPage();
  await page.setContent(html);
  const png = await page.screenshot({ fullPage: true });
  await context.close();
  const dimensions = { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
  return { ...(await stored(objects, png)), type: 'image/png', ...dimensions };
};

const VIEWPORTS = { desktop: { width: 1280, height: 800 }, mobile: { width: 390, height: 844 } } as const;
const COLORS = ['#f6f7f9', '#ffffff', '#1d2127', '#dde1e6', '#868e96'];

/** Screens of every page for desktop and phone, with their pictures and saved pages in the store. */
export const mockScreens = async (browser: Browser, objects: ObjectStore): Promise<Screen[]> => {
  const screens: Screen[] = [];
  for (const [n, mock] of PAGES.entries()) {
    const html = htmlOf(mock);
    const page = await stored(objects, Buffer.from(html));
    for (const viewport of ['desktop', 'mobile'] as const) {
      const size = VIEWPORTS[viewport];
      const shares = [0.44, 0.21, 0.16, 0.11, 0.06];
      screens.push(
        aDesktopScreen({
          ...mock,
          id: screens.length + 1,
          flow: { slug: mock.flow.toLowerCase().replaceAll(' ', '-'), name: mock.flow },
          step: 1 + PAGES.slice(0, n).filter((other) => other.flow === mock.flow).length,
          url: `https://${mock.app}.example.com/${mock.flow.toLowerCase().replaceAll(' ', '/')}?from=home`,
          viewport,
          page,
          image: await drawn(browser, objects, html, { ...size, scale: 1 }),
          thumbnail: await drawn(browser, objects, html, { ...size, scale: viewport === 'mobile' ? 0.8 : 0.4 }),
          colors: [
            { hex: mock.accent, share: 0.02 },
            ...COLORS.map((hex, at) => ({ hex, share: shares[at] as number })),
          ],
          fonts: ['system-ui', 'Noto Sans CJK KR'],
          elements: { button: 3, input: 2, 'list-item': 5 },
          text: mock.body
            .replaceAll(/<[^>]*>/g, '\n')
            .replaceAll(/\n+/g, '\n')
            .trim(),
        }),
      );
    }
  }
  return screens;
};
