import { useCallback } from 'react'
import { ApiProblem } from '../api/api-problem.ts'
import { usePreferences } from '../preferences.ts'
import type { Language } from './language.ts'
import { problemsEn } from './problems-en.ts'
import { problemsZhCn } from './problems-zh-cn.ts'

const USUAL_WAIT_SECONDS = 60

/**
 * What went wrong, in the reader's language, by its code. What has no sentence of its own shows the server's, which is in
 * English and names the remedy.
 */
export function problemText(error: unknown, language: Language): string {
  const texts: Readonly<Record<string, string>> = language === 'zh-CN' ? problemsZhCn : problemsEn
  if (!(error instanceof ApiProblem)) return texts['internal'] ?? ''
  const known = Object.hasOwn(texts, error.code) ? texts[error.code] : undefined
  if (known === undefined) return error.detail
  const seconds = String(error.retryAfterSeconds ?? USUAL_WAIT_SECONDS)
  return known.replace('{seconds}', () => seconds).replace('{detail}', () => error.detail)
}

export function useProblemText(): (error: unknown) => string {
  const { language } = usePreferences()
  return useCallback((error: unknown) => problemText(error, language), [language])
}
