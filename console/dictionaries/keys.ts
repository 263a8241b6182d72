import type { KeysTexts } from './keys-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the page with the API keys, and of everything that is done with one. */
export const keysDictionary = pageDictionary<KeysTexts>({
  en: () => import('./keys-en.ts').then((file) => file.keysEn),
  'zh-CN': () => import('./keys-zh-cn.ts').then((file) => file.keysZhCn),
})
