import type { IncidentsTexts } from './incidents-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the admins' page of incidents. */
export const incidentsDictionary = pageDictionary<IncidentsTexts>({
  en: () => import('./incidents-en.ts').then((file) => file.incidentsEn),
  'zh-CN': () => import('./incidents-zh-cn.ts').then((file) => file.incidentsZhCn),
})
