import type { NoticesWords } from '../en/notices.ts';

export const notices: NoticesWords = {
  title: '알림',
  lead: '상점을 함께 운영하는 분들에게 보내는 메일입니다.',
  noMail: '이 서비스는 메일을 보내지 않으므로 알림이 가지 않습니다. SMTP_URL과 MAIL_FROM을 설정해 주세요.',
  kinds: {
    sale: '판매',
    failed_renewal: '갱신 실패',
    dispute: '결제 분쟁',
    withdrawal: '청약철회',
    ticket: '문의',
    payment_event: '기록되지 않은 결제',
    doctor: '상점의 문제',
    disk: '디스크 공간 부족',
    backup: '백업 누락',
  },
  times: { at_once: '바로', daily: '하루 요약으로', never: '받지 않음' },
  goesTo: (addresses) => `받는 주소: ${addresses}`,
  nobody: '이 역할을 맡은 구성원이 없어 아무도 받지 않습니다.',
  to: '받는 주소',
  toHint:
    '한 줄에 하나씩 입력하시면 모든 알림이 그 주소로 갑니다. 비워 두시면 구성원이 각자의 역할에 맞는 알림을 받습니다.',
  bounds:
    '하루 요약은 상점의 시간대로 오전 8시에 발송됩니다. 한 시간에 같은 종류의 메일이 10통을 넘으면 나머지는 한 통에 모아 보내 드립니다.',
  save: '저장',
  saved: '알림 설정을 저장했습니다.',
  test: '테스트 메일 보내기',
  testText: '알림을 받는 모든 주소로 테스트 메일을 보냅니다.',
  tested: (addresses) => `테스트 메일을 보냈습니다: ${addresses}`,
  testedNobody: '알림을 받는 주소가 없어 테스트 메일을 보내지 않았습니다.',
};
