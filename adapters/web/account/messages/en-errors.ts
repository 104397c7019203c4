import { countOf } from '../../../../domain/shared/count-of.ts';

/** The English texts of pages that answer what went wrong. */
export const errors = {
  notFoundTitle: 'This page doesn’t exist',
  notFoundText: 'The address may be wrong, or what it led to is no longer there.',
  forbiddenTitle: 'That form could not be accepted',
  forbiddenText: 'It was open for too long, or did not come from these pages. Go back, reload the page and try again.',
  tooLargeTitle: 'That was too much',
  tooLargeText: 'The form holds more than can be sent. Go back and shorten what you entered.',
  tooManyAttempts: (minutes: number) => `There were too many attempts. Try again in ${countOf(minutes, 'minute')}.`,
  busy: 'Many people are signing in right now. Try again in a moment.',
  tooManyTitle: 'Too many requests',
  tooManyText: (seconds: number) => `Wait ${countOf(seconds, 'second')}, then try again.`,
  tooManyChangesTitle: 'Too many changes',
  tooManyChangesText: (hours: number) =>
    `Your account was changed so often today that it takes no more changes for ${countOf(hours, 'hour')}. You can still revoke keys, disconnect apps and sign browsers out.`,
  unavailableTitle: 'We can’t be reached at the moment',
  unavailableText: 'Nothing was lost. Please try again in a few seconds.',
  faultTitle: 'Something went wrong on our side',
  faultText: 'If it happens again, tell the shop this request id:',
  appTitle: 'This app can’t be let in',
  appText: 'Its request to sign in is not in order. Go back to the app and start again.',
  home: 'Go to your account',
};
