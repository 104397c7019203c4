import { countOf } from '../../../../domain/shared/count-of.ts';

/** The English texts of pages that answer what went wrong. */
export const errors = {
  notFoundTitle: 'This page doesn’t exist',
  notFoundText: 'The address may be wrong, or the page was removed.',
  forbiddenTitle: 'This form has expired',
  forbiddenText: 'It was open for too long or was not sent from this site. Go back, reload the page and try again.',
  tooLargeTitle: 'The form is too large',
  tooLargeText: 'Go back and shorten your text.',
  tooManyAttempts: (minutes: number) => `Too many attempts. Try again in ${countOf(minutes, 'minute')}.`,
  busy: 'Many people are signing in right now. Try again in a moment.',
  tooManyTitle: 'Too many requests',
  tooManyText: (seconds: number) => `Wait ${countOf(seconds, 'second')}, then try again.`,
  tooManyChangesTitle: 'Too many changes',
  tooManyChangesText: (hours: number) =>
    `Your account was changed too often today. Try again in ${countOf(hours, 'hour')}. You can still revoke keys, disconnect apps and sign browsers out.`,
  unavailableTitle: 'We are temporarily unavailable',
  unavailableText: 'Nothing was lost. Please try again in a few seconds.',
  faultTitle: 'Something went wrong on our side',
  faultText: 'If this happens again, send the shop this request id:',
  appTitle: 'This app can’t connect',
  appText: 'Its sign-in request is invalid. Go back to the app and start again.',
  home: 'Go to your account',
};
