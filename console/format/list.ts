import type { Language } from '../dictionaries/language.ts'

/** Names, one after the other: `a, b`, and in Chinese `a、b`. */
export function formatList(names: readonly string[], language: Language): string {
  return names.join(language === 'zh-CN' ? '、' : ', ')
}
