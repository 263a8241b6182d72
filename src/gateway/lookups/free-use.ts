import type { KeyWithOwner } from '../../access/api-key.ts'
import { type CountedLimits, NO_COUNTS } from '../../core/counted-limits.ts'
import { accountLimitsAt } from '../../entitlement/account-limits.ts'
import { limitReached } from '../../metering/admission/exhaustion.ts'
import type { CountedUse } from '../../metering/limits/counted-use.ts'
import { type KeyLimits, LimitTaken } from '../../metering/limits/key-limits.ts'
import type { Limited } from '../../metering/limits/limit-terms.ts'
import type { Clock } from '../../core/clock.ts'

/**
 * How a call that costs nothing counts in the limits of its key and account. `counts as a request`: of all of them. `runs at
 * once with others`: of `concurrency` alone, since clients that count tokens do so before each of their requests.
 */
type FreeUseKind = 'counts as a request' | 'runs at once with others'

/** Begins such a call, and resolves to what ends it, which may be called again. Rejects with the Fault `rate_limited`. */
export async function beginFree(
  caller: KeyWithOwner,
  { keyLimits, clock }: { readonly keyLimits: KeyLimits; readonly clock: Clock },
  how: FreeUseKind,
): Promise<() => void> {
  const { key, account } = caller
  const limited = [key, { id: account.id, rateLimit: accountLimitsAt(caller, clock.now()) }]
  const uses = await begun(limited, keyLimits, how).catch((error: unknown) => {
    if (!(error instanceof LimitTaken)) throw error
    throw limitReached(error.refusal, NO_TOKENS, error.of === 0 ? 'key' : 'account')
  })
  return () => {
    for (const use of uses.splice(0)) {
      if (how === 'counts as a request') use.end(0)
      else void use.undo()
    }
  }
}

/** Rejects with LimitTaken. */
async function begun(limited: readonly Limited[], keyLimits: KeyLimits, how: FreeUseKind): Promise<CountedUse[]> {
  const counted = await keyLimits.countOnAllNodes(limited, NO_TOKENS, (each) => asked(each, how))
  if (counted !== null) return [counted]
  for (const [of, each] of limited.entries()) {
    const refusal = keyLimits.refusal({ id: each.id, rateLimit: asked(each, how) }, NO_TOKENS)
    if (refusal !== null) throw new LimitTaken(refusal, of)
  }
  const uses: CountedUse[] = []
  for (const [of, each] of limited.entries()) {
    try {
      const use = keyLimits.begin(each, NO_TOKENS, asked(each, how))
      if (use !== null) uses.push(use)
    } catch (error) {
      for (const use of uses) void use.undo()
      throw error instanceof LimitTaken ? new LimitTaken(error.refusal, of) : error
    }
  }
  return uses
}

/** The limits that such a call is judged by. */
function asked({ rateLimit }: Limited, how: FreeUseKind): CountedLimits | null {
  if (how === 'counts as a request' || rateLimit === null) return rateLimit
  return { ...NO_COUNTS, concurrency: rateLimit.concurrency }
}

const NO_TOKENS = { input: 0, output: 0 }
