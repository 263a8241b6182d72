import type { KeyWithOwner } from '../../access/api-key.ts'
import { type CountedLimits, NO_COUNTS } from '../../core/counted-limits.ts'
import { accountLimitsAt } from '../../entitlement/account-limits.ts'
import { limitReached } from '../../metering/admission/exhaustion.ts'
import { type CountedUse, type KeyLimits, type Limited, LimitTaken } from '../../metering/limits/key-limits.ts'
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
  const holders = [[key, 'key'] as const, [ofAccount, 'account'] as const]
  for (const [limited, holder] of holders) {
    const refusal = keyLimits.refusal({ id: limited.id, rateLimit: asked(limited, how) }, NO_TOKENS)
    if (refusal !== null) throw limitReached(refusal, NO_TOKENS, holder)
  }
  for (const [limited, holder] of holders) {
    try {
      uses.push(keyLimits.begin(limited, NO_TOKENS, asked(limited, how)))
    } catch (error) {
      for (const use of uses) use?.undo()
      throw error instanceof LimitTaken ? limitReached(error.refusal, NO_TOKENS, holder) : error
    }
  }
  return () => {
    for (const use of uses.splice(0)) {
      if (how === 'counts as a request') use?.end(0)
      else use?.undo()
    }
  }
}

/** The limits that such a call is judged by. */
function asked({ rateLimit }: Limited, how: Counting): CountedLimits | null {
  if (how === 'counts as a request' || rateLimit === null) return rateLimit
  return { ...NO_COUNTS, concurrency: rateLimit.concurrency }
}

const NO_TOKENS = { input: 0, output: 0 }
