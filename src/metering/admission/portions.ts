import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { Budget } from '../budgets/budget.ts'
import type { AdmissionRequest, LessMoney } from './admission-request.ts'

/** The share that one request takes of what is there beyond a comfortable amount: three quarters, so that others find something. */
const TAKEN_NUMERATOR = 3n
const TAKEN_DENOMINATOR = 4n

/**
 * How much of a request's amount each source is to hold, while it is being found out what they have: all of it the first, and
 * what that one lacks the next. Caps bound the sum.
 */
export class Portions {
  readonly #request: AdmissionRequest
  readonly #less: LessMoney | null
  readonly #bySource: bigint[]
  /** There is less than the request may cost. */
  #isShort = false

  constructor(request: AdmissionRequest) {
    this.#request = request
    this.#less = request.less?.() ?? null
    this.#bySource = request.sources.map((_, index) => (index === 0 ? request.amount : 0n))
  }

  /** The least with which it is not refused. */
  get least(): NanoUsd {
    return this.#less?.least ?? this.#request.amount
  }

  /** All that is there for the request, as far as is known by now. */
  get total(): bigint {
    return this.#bySource.reduce((sum, portion) => sum + portion, 0n)
  }

  /** The request runs with less than it may cost, and nothing keeps it to that. */
  get mustBeExclusive(): boolean {
    if (!this.#isShort || this.#less === null) return false
    const { comfortable, isExclusiveBelow = false } = this.#less
    return comfortable === null || (isExclusiveBelow && this.total < comfortable)
  }

  /** A budget has no more than `available`. False: that is too little for the request. */
  lower(budget: Budget, available: NanoUsd): boolean {
    const { sources } = this.#request
    const index = sources.findIndex(({ budgets }) => budgets.some(({ id }) => id === budget.id))
    if (index < 0) this.#trim(available)
    else this.#passOn(index, available)
    this.#isShort = this.total < this.#request.amount
    return this.total >= this.least
  }

  /** What each source has to have, without those of which nothing is asked. */
  there(): readonly { readonly source: number; readonly amount: NanoUsd }[] {
    return this.#bySource.flatMap((portion, source) => (portion > 0n ? [{ source, amount: nanoUsd(portion) }] : []))
  }

  /** What each source is to hold now, without those that hold nothing; the request is admitted when all of them can. */
  taken(): readonly { readonly source: number; readonly amount: NanoUsd }[] {
    let rest = this.#isShort ? this.#share() : this.total
    return this.#bySource.flatMap((portion, source) => {
      const amount = portion < rest ? portion : rest
      rest -= amount
      return amount > 0n ? [{ source, amount: nanoUsd(amount) }] : []
    })
  }

  #share(): bigint {
    const { total } = this
    const comfortable = this.#less?.comfortable ?? null
    if (comfortable === null || total <= comfortable) return total
    const most = (total * TAKEN_NUMERATOR) / TAKEN_DENOMINATOR
    return most > comfortable ? most : comfortable
  }

  #passOn(index: number, available: bigint): void {
    const before = this.#bySource[index] ?? 0n
    if (available >= before) return
    this.#bySource[index] = available
    const next = this.#bySource[index + 1]
    if (next !== undefined) this.#bySource[index + 1] = next + before - available
  }

  #trim(most: bigint): void {
    let over = this.total - most
    for (let index = this.#bySource.length - 1; index >= 0 && over > 0n; index--) {
      const portion = this.#bySource[index] ?? 0n
      const less = portion < over ? portion : over
      this.#bySource[index] = portion - less
      over -= less
    }
  }
}
