import type { AuditTexts } from './audit-en.ts'

export const auditZhCn: AuditTexts = {
  title: '审计',
  lead: '谁在何处更改了什么。对象删除后记录仍会保留。',
  search: '被更改对象的 ID',
  empty: { title: '还没有任何更改', text: '通过控制台或 API 所做的每项更改都会列在这里。' },
  columns: { time: '时间', who: '操作者', address: '地址', action: '操作', subject: '对象', changes: '更改' },
  via: { session: '控制台', access_token: '访问令牌', admin_token: '管理员令牌', none: '未登录' },
  nothing: '无',
}
