import { withoutKeys } from '../../causes/pasted-parts.ts'
import { KEPT_WORDS_CHARACTERS } from '../../core/limits.ts'
import type { FailureClass } from '../../routing/failure-class.ts'
import { withoutSecrets } from '../upstream-faults.ts'

/** An error of these speaks of the credential, its account, its limits or the model. Any other may quote what was asked. */
const ABOUT_THE_UPSTREAM: ReadonlySet<FailureClass> = new Set([
  'credential',
  'no_credit',
  'not_found',
  'rate_limited',
  'overloaded',
  'request_exceeds_limit',
])

/** What is kept, for admins, of an upstream's words about an attempt that failed; null: nothing is (decision 0093). */
export function errorExcerpt(
  words: string | null,
  { failure, secrets }: { readonly failure: FailureClass | null; readonly secrets: readonly string[] },
): string | null {
  return words === null || failure === null || !ABOUT_THE_UPSTREAM.has(failure) ? null : cleanExcerpt(words, secrets)
}

/** An upstream's words on one line, bounded, and without its address and credential; null: nothing is left. */
export function cleanExcerpt(words: string, secrets: readonly string[]): string | null {
  // Cut first: a long text is not searched for more than is kept.
  const start = words.slice(0, 4 * KEPT_WORDS_CHARACTERS)
  const plain = withoutKeys(withoutSecrets(start, secrets))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (plain === '') return null
  return plain.length <= KEPT_WORDS_CHARACTERS ? plain : `${plain.slice(0, KEPT_WORDS_CHARACTERS - 1)}…`
}
