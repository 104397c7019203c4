const DESIGN = 'https://design.example.com';

const sha256 = 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2';
const thumbnail = '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730';
const page = '53c234e5e8472b6ac51c1ae1cab3fe06fad053beb8ebfd8977b010655bfdd3c3';

const card = {
  id: 1,
  title: 'Sign in',
  url: 'https://account.example.com/sign-in',
  app: 'accounts',
  flow: { slug: 'sign-in', name: 'Sign-in' },
  step: 1,
  platform: 'web',
  viewport: 'mobile',
  lang: 'en',
  mode: 'light',
  kind: 'sign-in',
  patterns: ['form', 'sign-in-form'],
  components: ['button', 'form', 'link', 'password-field', 'text-field'],
  image: { url: `${DESIGN}/media/${sha256}.png`, sha256, size: 48_211, type: 'image/png', width: 390, height: 844 },
  thumbnail: {
    url: `${DESIGN}/media/${thumbnail}.jpg`,
    sha256: thumbnail,
    size: 9120,
    type: 'image/jpeg',
    width: 320,
    height: 693,
  },
  captured_at: '2026-11-21T08:00:00.000Z',
  added_at: '2026-11-21T08:04:10.000Z',
  html_url: `${DESIGN}/screens/1`,
};

const list = `${DESIGN}/api/v1/screens`;

const pattern = { key: 'sign-in-form', name: { en: 'Sign-in form', ko: '로그인 폼' }, screens: 1 };

/** Example answers of the gallery's endpoints. */
export const galleryExamples = {
  screens: {
    data: [card],
    links: { first: `${list}?viewport=mobile&page=1`, last: `${list}?viewport=mobile&page=1`, prev: null, next: null },
    meta: { current_page: 1, from: 1, last_page: 1, path: list, per_page: 24, to: 1, total: 1, cols: 4 },
  },
  screen: {
    data: {
      ...card,
      key: '0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33',
      run_id: 1795248000000,
      final_url: null,
      http_status: 200,
      auth: false,
      login_stage: true,
      saved_state: null,
      elements: { button: 2, form: 1, link: 3, 'password-field': 1, 'text-field': 1 },
      colors: [
        { hex: '#1f2937', share: 0.5 },
        { hex: '#2563eb', share: 0.25 },
      ],
      fonts: ['Inter'],
      text: 'Sign in Email Password Sign in Use another way',
      page: { url: `${DESIGN}/screens/1/page`, sha256: page, size: 5210 },
    },
  },
  app: {
    data: {
      id: 2,
      slug: 'accounts',
      name: 'Accounts',
      screens: 1,
      flows: [{ slug: 'sign-in', name: 'Sign-in', total: 1, screens: [card] }],
    },
  },
  patterns: { data: [pattern] },
  taxonomy: {
    data: {
      page_types: [{ key: 'sign-in', name: { en: 'Sign-in', ko: '로그인' }, screens: 1 }],
      patterns: [pattern],
      elements: [{ key: 'button', name: { en: 'Button', ko: '버튼' }, screens: 1 }],
      colors: [{ key: 'blue', hex: '#2563eb', screens: 1 }],
      fonts: [{ name: 'Inter', screens: 1 }],
    },
  },
};
