import type { KeyWithOwner } from '../../access/api-key.ts'
import { NO_COUNTS } from '../../core/counted-limits.ts'
import { accountLimitsAt } from '../../entitlement/account-limits.ts'
import { limitReached } from '../../metering/admission/exhaustion.ts'
import type { CountedUse, KeyLimits } from '../../metering/limits/key-limits.ts'
import type { Clock } from '../../core/clock.ts'

/**
 * How a call that costs nothing counts in the limits of its key and account. `counts as a request`: of all of them. `runs at
 * once with others`: of `concurrency` alone, since clients that count tokens do so before each of their requests.
 */
type Counting = 'counts as a request' | 'runs at once with others'

/** Begins such a call, and returns what ends it, which may be called again. Throws the Fault `rate_limited`. */
export function beginFree(
  caller: KeyWithOwner,
  { keyLimits, clock }: { readonly keyLimits: KeyLimits; readonly clock: Clock },
  how: Counting,
): () => void {
  const { key, account } = caller
  const ofAccount = { id: account.id, rateLimit: accountLimitsAt(caller, clock.now()) }
  const uses: (CountedUse | null)[] = []
  for (const [limited, holder] of [[key, 'key'] as const, [ofAccount, 'account'] as const]) {
    const { id, rateLimit } = limited
    const isOfAll = how === 'counts as a request' || rateLimit === null
    const asked = isOfAll ? rateLimit : { ...NO_COUNTS, concurrency: rateLimit.concurrency }
    const refusal = keyLimits.refusal({ id, rateLimit: asked }, NO_TOKENS)
    if (refusal !== null) throw limitReached(refusal, NO_TOKENS, holder)
  }
  for (const limited of [key, ofAccount]) uses.push(keyLimits.begin(limited, NO_TOKENS))
  return () => {
    for (const use of uses.splice(0)) {
      if (how === 'counts as a request') use?.end(0)
      else use?.undo()
    }
  }
}

const NO_TOKENS = { input: 0, output: 0 }
