import type { Messages } from './en.ts';

/** The Korean texts of the page of tickets. */
export const support: Messages['support'] = {
  title: '내 문의',
  lead: '앱과 에이전트가 보낸 문제 신고와 요청, 그리고 판매처의 답변입니다.',
  none: '문의가 없습니다',
  noneText: '이 판매처의 앱에서 문제를 신고하면 여기에 표시됩니다.',
  kind: { general: '일반 문의', app_report: '앱 문제 신고', refund_request: '환불 요청' },
  open: '처리 중',
  closed: '종료됨',
  number: '문의 번호',
  reported: '접수한 날',
  answer: '판매처 답변',
  unanswered: '아직 답변이 없습니다.',
};
