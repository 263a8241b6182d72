import { pageDictionary } from './page-dictionary.ts'
import type { SystemTexts } from './system-en.ts'

/** The words of the admins' page of the system. */
export const systemDictionary = pageDictionary<SystemTexts>({
  en: () => import('./system-en.ts').then((file) => file.systemEn),
  'zh-CN': () => import('./system-zh-cn.ts').then((file) => file.systemZhCn),
})
