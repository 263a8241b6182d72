import type { FaultText, FaultTexts } from './fault-text.ts'
import { pageDictionary } from './page-dictionary.ts'

/** What the gateway's fault codes mean: a few words, the cause and the remedy. Loaded by the pages that show faults. */
export const faultsDictionary = pageDictionary<FaultTexts>({
  en: () => import('./faults-en.ts').then((file) => file.faultsEn),
  'zh-CN': () => import('./faults-zh-cn.ts').then((file) => file.faultsZhCn),
})

/** undefined: a code that this console does not know, from a newer gateway. */
export function faultTextOf(texts: FaultTexts, code: string): FaultText | undefined {
  return Object.entries(texts).find(([name]) => name === code)?.[1]
}
