import { pageDictionary } from './page-dictionary.ts'
import type { PlaygroundTexts } from './playground-en.ts'

/** The words of the page on which models are tried. */
export const playgroundDictionary = pageDictionary<PlaygroundTexts>({
  en: () => import('./playground-en.ts').then((file) => file.playgroundEn),
  'zh-CN': () => import('./playground-zh-cn.ts').then((file) => file.playgroundZhCn),
})
