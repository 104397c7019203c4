import { randomUUID } from 'node:crypto';
import express from 'express';
import { signAnswer } from './answer.ts';

const CUSTOMERS = [
  { id: 7, email: 'demo@example.com', name: 'Buyer of the sample store' },
  { id: 8, email: 'new@example.com', name: 'New customer' },
];

/** The team's shop: it has its own login, and tells the account host who is signed in. */
export const makeShop = (callbackUrl: string, secret: string) => {
  const sessions = new Map<string, (typeof CUSTOMERS)[number]>();
  const app = express();
  // The shop's own login belongs here; this one accepts everybody.
  app.get('/login/:id', (req, res) => {
    const customer = CUSTOMERS.find(({ id }) => id === Number(req.params.id));
    const session = randomUUID();
    if (customer) sessions.set(session, customer);
    res.cookie('shop', session, { httpOnly: true, sameSite: 'lax' });
    res.redirect(303, `/account?state=${encodeURIComponent(String(req.query['state']))}`);
  });
  app.get('/account', (req, res) => {
    const state = String(req.query['state']);
    const [, session = ''] = /(?:^|; )shop=([\w-]+)/.exec(req.headers.cookie ?? '') ?? [];
    const customer = sessions.get(session);
    const link = `?state=${encodeURIComponent(state)}`;
    if (!customer)
      return void res.send(CUSTOMERS.map(({ id, name }) => `<p><a href="/login/${id}${link}">${name}</a>`).join(''));
    res.redirect(303, `${callbackUrl}?${new URLSearchParams({ answer: signAnswer({ ...customer, state }, secret) })}`);
  });
  return app;
};
