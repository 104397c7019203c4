/** The English texts of the page of tickets. */
export const support = {
  title: 'Your support tickets',
  lead: 'These are the problems and requests that your apps and agents reported for you, with the shop’s answers.',
  none: 'There are no tickets',
  noneText: 'A problem that is reported from an app of this shop appears here.',
  kind: { general: 'Question', app_report: 'Problem with an app', refund_request: 'Request for a refund' },
  open: 'Open',
  closed: 'Closed',
  number: 'Ticket',
  reported: 'Reported',
  answer: 'Answer of the shop',
  unanswered: 'The shop has not answered yet.',
};
