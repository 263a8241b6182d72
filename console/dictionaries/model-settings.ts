import type { ModelSettingsTexts } from './model-settings-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the form in which admins set how a model is served. */
export const modelSettingsDictionary = pageDictionary<ModelSettingsTexts>({
  en: () => import('./model-settings-en.ts').then((file) => file.modelSettingsEn),
  'zh-CN': () => import('./model-settings-zh-cn.ts').then((file) => file.modelSettingsZhCn),
})
