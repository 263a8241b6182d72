import type { CredentialHealth } from './credential-health.ts'
import type { CredentialPause } from './credential-use.ts'
import type { FailureClass } from './failure-class.ts'

/** A credential, as far as it is chosen by. */
interface CredentialToChoose {
  readonly health: CredentialHealth
  /** A person has switched it off. */
  readonly isDisabled: boolean
}

interface CredentialChoosingBy<Each> {
  /** A reading of `Clock.elapsed`. */
  readonly now: number
  /** The caller, since a model may rest for one caller alone. */
  readonly callerId: string
  /** Comes first where it may be asked as well as any other. */
  readonly isFirst: (each: Each) => boolean
}

type CredentialChoice<Each> =
  /** The credentials in the order in which they are to be asked. */
  | { readonly kind: 'ask'; readonly credentials: readonly [Each, ...Each[]] }
  /** None may be asked before `at`, `Infinity`: not as they are configured. `because` null: all are disabled. */
  | { readonly kind: 'rest'; readonly because: FailureClass | CredentialPause | null; readonly at: number }

/**
 * Chooses the credentials that may be asked for something that is of no model and costs nothing, such as a stored response: none that is
 * disabled, has expired, is held or rests. What a credential may cost or how many requests it may have does not count, but
 * one that has room comes first; one that is held or rests and may be tried again comes last.
 */
export function chooseCredential<Each extends CredentialToChoose>(
  pool: readonly Each[],
  by: CredentialChoosingBy<Each>,
): CredentialChoice<Each> {
  const { now, isFirst } = by
  const enabled = pool.filter(({ isDisabled }) => !isDisabled)
  const open = enabled.filter((each) => whyClosed(each.health, by) === null)
  const rank = (each: Each) => rankOf(each.health, now) * 2 + (isFirst(each) ? 0 : 1)
  const [first, ...others] = open.toSorted((a, b) => rank(a) - rank(b))
  return first === undefined ? restOf(enabled, by) : { kind: 'ask', credentials: [first, ...others] }
}

interface Closed {
  readonly because: FailureClass | CredentialPause | null
  readonly at: number
  /** Waiting does not help: an admin has to act. */
  readonly needsAdmin: boolean
}

type ChoosingMoment = Pick<CredentialChoosingBy<unknown>, 'now' | 'callerId'>

/** null: it may be asked. */
function whyClosed(health: CredentialHealth, { now, callerId }: ChoosingMoment): Closed | null {
  if (health.use.pause(now) === 'expired') return { because: 'expired', at: Infinity, needsAdmin: true }
  const { held } = health
  if (held !== null && held.until > now) return { because: held.because, at: held.until, needsAdmin: true }
  const model = health.firstToTry(now, callerId)
  const at = model?.mayBeTriedAt(now, callerId) ?? now
  return model === null || at <= now ? null : { because: model.lastFailure, at, needsAdmin: false }
}

function rankOf(health: CredentialHealth, now: number): number {
  if (health.held !== null || health.standing(now).state === 'cooling') return 2
  return health.use.pause(now) === null ? 0 : 1
}

/** What comes back by itself and first, as in `chooseTarget`; else what an admin has to set right. */
function restOf(enabled: readonly CredentialToChoose[], by: ChoosingMoment): CredentialChoice<never> {
  let first: Closed | null = null
  for (const { health } of enabled) {
    const closed = whyClosed(health, by)
    if (closed === null) continue
    const isBefore =
      first === null || (first.needsAdmin === closed.needsAdmin ? closed.at < first.at : first.needsAdmin)
    if (isBefore) first = closed
  }
  return { kind: 'rest', because: first?.because ?? null, at: first?.at ?? Infinity }
}
