import { deviceClient } from '../../../../domain/sign-in/device-clients.ts';
import type { Page } from './page.ts';

type Client = { readonly client_id: string; readonly client_name: string };

/** The name of a client software in the language of the page. */
export const clientName = ({ locale }: Pick<Page, 'locale'>, { client_id, client_name }: Client): string =>
  deviceClient(client_id)?.name[locale] ?? client_name;
