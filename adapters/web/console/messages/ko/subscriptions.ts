import type { SubscriptionsWords } from '../en/subscriptions.ts';

export const subscriptions: SubscriptionsWords = {
  lists: '목록',
  failing: '결제 실패',
  failingText: '갱신 결제가 이루어지지 않았습니다. 유예 기간에는 계속 사용하고 결제할 수 있습니다.',
  renewing: '갱신 예정',
  renewingText: '앞으로 31일 안에 결제되거나 연장됩니다.',
  ending: '종료 예정',
  endingText: '해지되어 결제한 기간이 끝나면 종료됩니다.',
  all: '모두 보기',
  customer: '고객',
  products: '제품',
  next: '다음 일정',
  erased: '삭제된 계정',
  noFailing: '실패한 결제가 없습니다',
  noRenewing: '31일 안에 갱신되는 구독이 없습니다',
  noEnding: '해지한 고객이 없습니다',
  empty: '해당하는 구독이 생기면 여기에 표시됩니다.',
  charged: (day, amount) => (amount === null ? `${day} 결제` : `${day}, ${amount}`),
  ends: (day) => `${day} 이용 종료`,
  unlessPaid: (day) => `결제하지 않으면 ${day} 이용 종료`,
  openEnd: '종료일 없음',
};
