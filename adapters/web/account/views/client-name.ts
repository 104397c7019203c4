import type { Product } from '../../../../domain/catalog/product.ts';
import { inLocale, type Locale } from '../../../../domain/shared/locale.ts';
import { deviceClient } from '../../../../domain/sign-in/device-sign-in.ts';

/** The name of a client application in a language, or its id if it is no longer known. */
export const clientName = (id: string, apps: ReadonlyMap<string, Product>, locale: Locale): string =>
  inLocale(deviceClient(id, apps)?.name ?? {}, locale) ?? id;
