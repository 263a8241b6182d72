import type { Language } from '../language.ts'
import { formatNumber } from './number.ts'

/** Names, one after the other: `a, b`, and in Chinese `a、b`. */
export function formatList(names: readonly string[], language: Language): string {
  return names.join(language === 'zh-CN' ? '、' : ', ')
}

/** The first names of many: `a, b and 7 more`. `count`: of all, where `names` are not all of them. */
export function formatFew(
  names: readonly string[],
  language: Language,
  { most, count = names.length }: { readonly most: number; readonly count?: number },
): string {
  const shown = names.slice(0, most)
  const list = formatList(shown, language)
  const more = count - shown.length
  if (more <= 0) return list
  const number = formatNumber(more, language)
  return language === 'zh-CN' ? `${list} 等，另有 ${number} 个` : `${list} and ${number} more`
}
