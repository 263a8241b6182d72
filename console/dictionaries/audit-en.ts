export const auditEn = {
  title: 'Audit',
  lead: 'Who changed what, from where. Entries stay when what they are about is gone.',
  search: 'ID of what was changed',
  empty: { title: 'Nothing was changed yet', text: 'Every change through the console or the API is listed here.' },
  columns: { time: 'Time', who: 'Who', address: 'Address', action: 'Action', subject: 'Object', changes: 'Changes' },
  via: { session: 'console', access_token: 'access token', admin_token: 'admin token', none: 'not signed in' },
  nothing: 'nothing',
}

export type AuditTexts = typeof auditEn
