import { useCallback } from 'react'
import { ApiProblem } from '../api/api-problem.ts'
import { usePreferences } from '../preferences.ts'
import type { Language } from '../language.ts'
import type { EveryPageTexts } from './every-page-en.ts'
import { useEveryPageTexts } from './texts.ts'

const USUAL_WAIT_SECONDS = 60

/** The words of one language, and which it is. */
export interface ProblemWords extends Pick<EveryPageTexts, 'problems' | 'fieldForms'> {
  readonly language: Language
}

/**
 * What went wrong, in the reader's language, by its code and by what the field takes. Of other codes that it has no sentence
 * for, English shows the server's own, which names the remedy; Chinese has one for every code, so that none mixes both.
 */
export function problemText(error: unknown, words: ProblemWords): string {
  const { language, problems: texts } = words
  if (!(error instanceof ApiProblem)) return texts['internal'] ?? ''
  const known = Object.hasOwn(texts, error.code) ? texts[error.code] : undefined
  if (known === undefined) return language === 'zh-CN' ? (texts['unknown'] ?? '') : error.detail
  if (error.code === 'field_invalid') return ofField(error, words)
  const seconds = String(error.retryAfterSeconds ?? USUAL_WAIT_SECONDS)
  const address = error.address ?? ''
  return known
    .replace('{seconds}', () => seconds)
    .replace('{address}', () => address)
    .replace('{detail}', () => error.detail)
}

/** What `problemText` returns, without the name of the field: it is shown under that field. */
export function fieldProblemText(error: unknown, words: ProblemWords): string {
  if (!(error instanceof ApiProblem) || error.code !== 'field_invalid') return problemText(error, words)
  return (
    takesText(error, words) ?? (words.language === 'zh-CN' ? words.problems['field_invalid'] : null) ?? error.detail
  )
}

export function useProblemText(): (error: unknown) => string {
  const { language } = usePreferences()
  const texts = useEveryPageTexts()
  return useCallback((error: unknown) => problemText(error, { ...texts, language }), [language, texts])
}

export function useFieldProblemText(): (error: unknown) => string {
  const { language } = usePreferences()
  const texts = useEveryPageTexts()
  return useCallback((error: unknown) => fieldProblemText(error, { ...texts, language }), [language, texts])
}

/** A field that is not on the screen: named as the API names it, with the code where this version cannot say what it takes. */
function ofField(error: ApiProblem, words: ProblemWords): string {
  const isChinese = words.language === 'zh-CN'
  const sentence =
    takesText(error, words) ??
    (isChinese ? `服务器未接受此值（${error.code}）。` : `The server doesn’t accept this value (${error.code}).`)
  return error.field === null || error.field === '' ? sentence : `${error.field}${isChinese ? '：' : ': '}${sentence}`
}

/** What the field takes, in a sentence; null: the server did not say it, or says it by a word that is newer than this. */
function takesText({ takes }: ApiProblem, { language, fieldForms }: ProblemWords): string | null {
  if (takes === null) return null
  const texts: Readonly<Record<string, (values: readonly string[]) => string>> = fieldForms
  const write = Object.hasOwn(texts, takes.form) ? texts[takes.form] : undefined
  if (takes.is_missing) return language === 'zh-CN' ? '此项必填。' : 'Required.'
  return write?.(takes.values) ?? null
}
