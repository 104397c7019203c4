import { minorDigits } from '../../domain/billing/money.ts';

/** An amount in minor units as people write it, exact, with the code of its currency: `19,000 KRW`, `29.00 USD`. */
export const moneyText = (cents: number, currency: string): string => {
  const digits = minorDigits(currency);
  const whole = String(cents).padStart(digits + 1, '0');
  const units = whole.slice(0, whole.length - digits);
  const grouped = units.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${grouped}${digits === 0 ? '' : `.${whole.slice(-digits)}`} ${currency}`;
};
