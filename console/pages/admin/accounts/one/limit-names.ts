import { useTexts } from '../../../../dictionaries/texts.ts'
import type { LimitField } from './limits-form.ts'

/** The limits of an account by their fields, as the owner reads them. */
export function useLimitNames(): Readonly<Record<LimitField, string>> {
  const { limits } = useTexts('account')
  return { ...limits.counts, ...limits.spend, max_keys: limits.keys, max_key_validity_days: limits.validity }
}
