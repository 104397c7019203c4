import { addressBehind } from '../../adapters/http/carry.ts';
import { expressApp } from '../../adapters/lambda-events/express-app.ts';
import { designApp } from '../composition/design-app.ts';

type Serving = Omit<Parameters<typeof designApp>[0], 'addressOf'>;

/**
 * The pages of the design host as a function. The address that the gateway names stands in the place of the socket's
 * own.
 */
export const designPages = (serving: Serving) => expressApp(designApp({ ...serving, addressOf: addressBehind([]) }));
