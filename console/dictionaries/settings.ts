import { pageDictionary } from './page-dictionary.ts'
import type { SettingsTexts } from './settings-en.ts'

/** The words of the admins' page of settings. */
export const settingsDictionary = pageDictionary<SettingsTexts>({
  en: () => import('./settings-en.ts').then((file) => file.settingsEn),
  'zh-CN': () => import('./settings-zh-cn.ts').then((file) => file.settingsZhCn),
})
