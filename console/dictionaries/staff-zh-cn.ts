import type { texts as english } from './staff-en.ts'

export const texts: typeof english = {
  roles: { user: '用户', auditor: '审计员', operator: '运维', finance: '财务', admin: '管理员' },
  readOnly: (own, others) => `您的角色是${own}，可以查看此页面，但不能更改。更改需要${others.join('或')}角色。`,
}
