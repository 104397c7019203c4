import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Service } from 'account-service';
import { grantPermit } from 'account-service/rules';
import express, { type RequestHandler } from 'express';

/** A payment, as the provider sends it. `reference` is the same each time that it sends the payment again. */
type Payment = { readonly reference: string; readonly account_id: number; readonly product_id: number };

/** Grants a paid product, once for each reference. The provider signs the bytes of the body, so they are read raw. */
export const payments = (service: Pick<Service, 'get'>, secret: string): RequestHandler[] => {
  // `grantEntitlement` adds a grant with each call. A table of the team keeps the references in a real app.
  const seen = new Map<string, Promise<number>>();
  const grant = async ({ account_id, product_id }: Payment): Promise<number> => {
    const terms = { device_limit: null, access_expires_at: null, updates_supported_until: null };
    const input = { account_id, product_id, ...terms };
    return (await service.get('grantEntitlement')(grantPermit('payments'), input)).ok ? 204 : 422;
  };
  return [
    express.raw({ type: () => true }),
    async (req, res) => {
      const right = createHmac('sha256', secret).update(req.body).digest();
      const given = Buffer.from(req.get('x-signature') ?? '', 'hex');
      if (given.length !== right.length || !timingSafeEqual(given, right)) return void res.sendStatus(401);
      const payment: Payment = JSON.parse(req.body.toString());
      const granting = seen.get(payment.reference) ?? grant(payment);
      seen.set(payment.reference, granting);
      const status = await granting.catch(() => 500);
      if (status !== 204) seen.delete(payment.reference);
      res.sendStatus(status);
    },
  ];
};
