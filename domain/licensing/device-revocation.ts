import type { ApiKey } from '../access/api-key.ts';
import type { Locale } from '../shared/locale.ts';

/** What was released, in a sentence; `none` is the sentence for a key that was tied to no device. */
const SENTENCES: Readonly<
  Record<'released' | 'nothing' | 'none' | 'license' | 'ofLicense', Readonly<Record<Locale, (url: string) => string>>>
> = {
  released: {
    en: () => 'This key is revoked, and its device gave back its slot of this product.',
    ko: () => '이 키를 폐기하고 이 제품에서 기기를 해제했습니다.',
  },
  nothing: {
    en: () => 'This key is revoked. Its device held no slot of this product, so none was released.',
    ko: () => '이 키를 폐기했습니다. 기기가 이 제품에 등록되어 있지 않아 해제한 기기는 없습니다.',
  },
  none: {
    en: (url) => `This key is revoked. It was tied to no device, so no slot was released; release one at ${url}.`,
    ko: (url) =>
      `이 키를 폐기했습니다. 기기에 묶인 키가 아니어서 해제한 기기는 없습니다. 기기는 ${url} 에서 해제해 주세요.`,
  },
  ofLicense: {
    en: () =>
      'This device gave back its slot of this product. The license key stays, because other devices may have it.',
    ko: () => '이 제품에서 기기를 해제했습니다. 라이선스 키는 다른 기기에서도 쓸 수 있어 폐기하지 않았습니다.',
  },
  license: {
    en: (url) => `A license key stays, because other devices may have it. Release this device at ${url}.`,
    ko: (url) => `라이선스 키는 다른 기기에서도 쓸 수 있어 폐기하지 않았습니다. 이 기기는 ${url} 에서 해제해 주세요.`,
  },
};

const sentenceOf = ({ kind, device }: Pick<ApiKey, 'kind' | 'device'>, released: boolean): keyof typeof SENTENCES => {
  if (kind === 'license') return released ? 'ofLicense' : 'license';
  return released ? 'released' : device === null ? 'none' : 'nothing';
};

/** The answer to a device that gave up a product. `releasedDevice` is null where no slot became free. */
export const revocationView = (
  key: Pick<ApiKey, 'kind' | 'prefix' | 'device'>,
  productId: number,
  releasedDevice: string | null,
  manageUrl: string,
  locale: Locale,
) => ({
  revoked: key.kind !== 'license',
  product_id: productId,
  key_prefix: key.prefix,
  released_device_id: releasedDevice,
  message: SENTENCES[sentenceOf(key, releasedDevice !== null)][locale](manageUrl),
});
