import type { Page } from 'playwright-core';
import { DEMO } from '../../../sign-in/a-server.ts';

/* The steps of the demo account's owner on the account host. */

/** Fills in the visible sign-in form, and waits for the next page. */
export const signInHere = async (page: Page, { email, password } = DEMO): Promise<void> => {
  await page.fill('#email', email);
  await page.fill('#password', password);
  await page.click('form.stack button.main');
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in');
};

/** Opens a page of a host as a person who must sign in first. */
export const openSignedIn = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await signInHere(page);
};
