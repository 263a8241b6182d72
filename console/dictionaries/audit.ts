import type { AuditTexts } from './audit-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the page of the audit. */
export const auditDictionary = pageDictionary<AuditTexts>({
  en: () => import('./audit-en.ts').then((file) => file.auditEn),
  'zh-CN': () => import('./audit-zh-cn.ts').then((file) => file.auditZhCn),
})
