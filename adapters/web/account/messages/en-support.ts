/** The English texts of the page of tickets. */
export const support = {
  title: 'Your support tickets',
  lead: 'Problems and requests that your apps and agents reported, with the shop’s answers.',
  none: 'No tickets yet',
  noneText: 'Problems that you report from one of the shop’s apps appear here.',
  kind: { general: 'Question', app_report: 'App problem', refund_request: 'Refund request' },
  open: 'Open',
  closed: 'Closed',
  number: 'Ticket',
  reported: 'Reported',
  answer: 'The shop’s answer',
  unanswered: 'The shop has not answered yet.',
};
