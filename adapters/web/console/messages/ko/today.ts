import type { TodayWords } from '../en/today.ts';

export const today: TodayWords = {
  waiting: '확인이 필요한 일',
  nothing: '확인할 일이 없습니다.',
  tickets: '답변을 기다리는 문의',
  failing: '결제에 실패한 구독',
  wrong: '서비스 상태 점검',
  events: '확인이 필요한 결제 이벤트',
  firstSale: '첫 판매를 준비하세요',
  addProduct: '제품을 추가하고 가격을 정하세요.',
  look: '스토어의 이름과 디자인을 정하세요.',
  periods: { day: '오늘 순매출', week: '7일 순매출', month: '30일 순매출' },
  before: (money) => `이전 기간 ${money}`,
  sold: '매출',
  orders: '최근 주문',
  noOrders: '아직 주문이 없습니다',
  noOrdersText: '고객이 결제하면 주문이 바로 여기에 표시됩니다.',
  order: '주문',
  customer: '고객',
  state: '상태',
  total: '합계',
  day: '날짜',
};
