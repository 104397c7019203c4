import type { SearchWords } from '../en/search.ts';

export const search: SearchWords = {
  title: '검색',
  lead: '고객은 이메일 주소나 그 앞부분으로, 주문은 번호로, 제품은 이름으로, 기기는 ID로 찾습니다. 결제사의 ID, 문의 번호, 키의 앞부분으로도 찾을 수 있습니다.',
  nothing: '검색 결과가 없습니다',
  nothingText: '철자를 확인해 주세요. 번호와 ID는 전체를, 이메일 주소와 기기 ID는 앞부분만 입력해도 됩니다.',
  columns: ['검색 결과', '종류'],
  kinds: {
    account: '고객',
    order: '주문',
    subscription: '구독',
    key: '키',
    device: '기기',
    ticket: '문의',
    event: '결제 이벤트',
    product: '제품',
  },
};
