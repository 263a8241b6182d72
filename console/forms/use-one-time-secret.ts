import { useRef } from 'react'

/**
 * Carries a secret from the answer that has it to the one place that shows it: a mutation's own result stays in a cache
 * while its form is there, so the secret must not be in it.
 */
export function useOneTimeSecret(): {
  /** Takes the secret out of an answer. */
  keep(answer: { readonly secret: string | null }): void
  /** Returns it, once. */
  take(): string | null
} {
  const kept = useRef<string | null>(null)
  return {
    keep({ secret }) {
      kept.current = secret
    },
    take() {
      const secret = kept.current
      kept.current = null
      return secret
    },
  }
}
