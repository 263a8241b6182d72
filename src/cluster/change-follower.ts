import type { KeyRing } from '../access/key-ring.ts'
import type { NodeStore } from './nodes.ts'
import type { Change } from '../access/changes.ts'
import type { Budget } from '../metering/budgets/budget.ts'
import type { LeaseBook } from '../metering/budgets/lease-book.ts'

/** How soon the changes are asked for again after a failure. */
const RETRY_MS = 250

export interface ChangeFollowerOptions {
  /** The node that follows. Its id changes when it was taken for dead. */
  readonly node: { readonly id: string }
  readonly nodes: NodeStore
  readonly ring: KeyRing
  readonly leases: Pick<LeaseBook, 'reconsider' | 'forgetRefusals'>
  /** Acts on the new state of these keys and accounts: requests that are running for them may have to be cut. */
  recheckRunning(changes: readonly Change[]): Promise<void>
  reloadCatalog(): Promise<void>
  onError(error: unknown): void
}

/** Brings what other processes (and the command line) changed into this one's memory, and says how far it got. */
export class ChangeFollower {
  readonly #options: ChangeFollowerOptions
  #seq: number
  #isRunning = false
  #hasNews = false
  #stop: (() => void) | null = null

  constructor(options: ChangeFollowerOptions, startSeq: number) {
    this.#options = options
    this.#seq = startSeq
  }

  /** The id of this node. */
  get id(): string {
    return this.#options.node.id
  }

  /** The last change that this node acts on, with all before it. */
  get seq(): number {
    return this.#seq
  }

  start(): void {
    this.#stop = this.#options.nodes.onCommit(() => this.#look())
    this.#look()
  }

  stop(): void {
    this.#stop?.()
  }

  #look(): void {
    this.#hasNews = true
    void this.#follow()
  }

  async #follow(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#hasNews) {
        this.#hasNews = false
        await this.#catchUp()
      }
    } catch (error) {
      this.#options.onError(error)
      setTimeout(() => this.#look(), RETRY_MS).unref()
    } finally {
      this.#isRunning = false
    }
  }

  async #catchUp(): Promise<void> {
    const { nodes, node } = this.#options
    for (;;) {
      const changes = await nodes.changesAfter(this.#seq)
      const last = changes.at(-1)
      if (last === undefined) return
      await this.#apply(changes)
      this.#seq = last.seq
      await nodes.acknowledge(node.id, last.seq)
    }
  }

  async #apply(changes: readonly Change[]): Promise<void> {
    const { ring, leases } = this.#options
    let concernsCatalog = false
    const funds = changes.filter(({ subject }) => subject === 'funds')
    const ofCallers = changes.filter(({ subject }) => subject === 'key' || subject === 'account')
    for (const change of changes) {
      if (change.subject === 'key') ring.forgetKey(change.subjectId)
      else if (change.subject === 'account') ring.forgetAccount(change.subjectId)
      else if (change.subject === 'limits') ring.forgetAll()
      concernsCatalog ||= change.subject === 'catalog'
    }
    if (funds.length > 0) leases.forgetRefusals(spentBy(funds))
    // Revoking comes first: whatever is wrong with the catalogue, what may not go on is cut, and what may not be spent is not.
    if (ofCallers.length > 0) {
      await Promise.all([leases.reconsider(spentBy(ofCallers)), this.#options.recheckRunning(ofCallers)])
    }
    if (changes.some(({ subject }) => subject === 'limits'))
      await leases.reconsider(({ kind }) => kind === 'account_spend')
    if (concernsCatalog) await this.#options.reloadCatalog()
  }
}

/**
 * Tells which budgets may have leases that these changes closed: those of the keys, and of the accounts with all subscriptions,
 * as a budget does not tell whose subscription it is of.
 */
function spentBy(changes: readonly Change[]): (budget: Budget) => boolean {
  const subjects = new Set(changes.map((change) => change.subjectId))
  const hasAccount = changes.some((change) => change.subject === 'account')
  return ({ kind, subjectId }) => subjects.has(subjectId) || (hasAccount && kind === 'subscription')
}
