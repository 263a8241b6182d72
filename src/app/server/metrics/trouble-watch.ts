import type { AdminAlertKind } from '../../../core/alert-kinds.ts'
import { SPEND_CAP_NEAR } from '../../../routing/spend-cap.ts'
import type { FamilyName, Figures } from '../../../telemetry/figures.ts'

/** Something that an admin has to look at. */
export interface Trouble {
  readonly kind: AdminAlertKind
  /** The name of what it is about; empty: of the gateway as a whole. */
  readonly about: string
}

/** So many failures of a model in a row, with no answer between them, are one trouble: a single one may be a request's fault. */
const FAILURES_IN_A_ROW = 5
/** A database that is away for one look may be restarting. */
const LOOKS_WITHOUT_STORE = 2

/** Reads from the figures of the process, look after look, what admins are to hear of, and says each trouble once while it lasts. */
export class TroubleWatch {
  readonly #tell: (trouble: Trouble) => Promise<void>
  readonly #onError: (error: unknown) => void
  #known = new Set<string>()
  readonly #completed = new Map<string, number>()
  readonly #failed = new Map<string, number>()
  readonly #failedInARow = new Map<string, number>()
  #looksWithoutStore = 0
  #setAside = 0

  /** `tell` rejects where the trouble could not be noted: then it is said again at the next look. */
  constructor(options: { tell(trouble: Trouble): Promise<void>; onError(error: unknown): void }) {
    this.#tell = options.tell
    this.#onError = options.onError
  }

  async look(figures: Figures, hasOldBackup = false): Promise<void> {
    const troubles: Trouble[] = [
      ...(hasOldBackup ? [{ kind: 'backup_old' as const, about: '' }] : []),
      ...heldIn(figures),
      ...cappedIn(figures),
      ...nearCapIn(figures),
      ...this.#unservedIn(figures),
      ...this.#setAsideIn(figures),
      ...this.#storeIn(figures),
    ]
    const lasting = new Set(troubles.map(nameOf))
    this.#known = new Set([...this.#known].filter((name) => lasting.has(name)))
    await Promise.all(troubles.filter((trouble) => !this.#known.has(nameOf(trouble))).map((each) => this.#say(each)))
  }

  async #say(trouble: Trouble): Promise<void> {
    try {
      await this.#tell(trouble)
      this.#known.add(nameOf(trouble))
    } catch (error) {
      this.#onError(error)
    }
  }

  #unservedIn(figures: Figures): Trouble[] {
    const [completed, failed] = [new Map<string, number>(), new Map<string, number>()]
    for (const { labels, value } of valuesOf(figures, 'requests')) {
      const [, model = '', , outcome, fault = ''] = labels
      if (outcome === 'completed') completed.set(model, (completed.get(model) ?? 0) + value)
      else if (outcome === 'failed' && fault.startsWith('upstream_') && fault !== 'upstream_rejected') {
        failed.set(model, (failed.get(model) ?? 0) + value)
      }
    }
    for (const [model, count] of failed) {
      const wasAnswered = (completed.get(model) ?? 0) > (this.#completed.get(model) ?? 0)
      const more = count - (this.#failed.get(model) ?? 0)
      this.#failedInARow.set(model, wasAnswered ? 0 : (this.#failedInARow.get(model) ?? 0) + more)
      this.#failed.set(model, count)
    }
    for (const [model, count] of completed) this.#completed.set(model, count)
    const unserved = [...this.#failedInARow].filter(([, count]) => count >= FAILURES_IN_A_ROW)
    return unserved.map(([about]) => ({ kind: 'model_unserved', about }))
  }

  /** Each that comes is a trouble of its own: the last of them is never over. */
  #setAsideIn(figures: Figures): Trouble[] {
    const before = this.#setAside
    this.#setAside = totalOf(figures, 'setAside')
    return this.#setAside > before ? [{ kind: 'settlement_set_aside', about: '' }] : []
  }

  #storeIn(figures: Figures): Trouble[] {
    this.#looksWithoutStore = totalOf(figures, 'storeUp') > 0 ? 0 : this.#looksWithoutStore + 1
    return this.#looksWithoutStore >= LOOKS_WITHOUT_STORE ? [{ kind: 'store_failing', about: '' }] : []
  }
}

function heldIn(figures: Figures): Trouble[] {
  return valuesOf(figures, 'credentialState').flatMap(({ labels: [upstream = '', credential = '', state], value }) =>
    state === 'held' && value > 0 ? [{ kind: 'credential_held', about: `${upstream} / ${credential}` }] : [],
  )
}

function cappedIn(figures: Figures): Trouble[] {
  return capsIn(figures).flatMap(({ kind, about, part }) => (part >= 1 ? [{ kind, about }] : []))
}

function nearCapIn(figures: Figures): Trouble[] {
  return capsIn(figures).flatMap(({ about, part }) =>
    part >= SPEND_CAP_NEAR && part < 1 ? [{ kind: 'spend_cap_near', about }] : [],
  )
}

function capsIn(figures: Figures) {
  return valuesOf(figures, 'spendCapUsed').map(({ labels: [upstream = '', credential = '', model = ''], value }) => {
    if (credential !== '') {
      return { kind: 'credential_spend_cap', about: `${upstream} / ${credential}`, part: value } as const
    }
    if (model !== '') return { kind: 'target_spend_cap', about: `${upstream} / ${model}`, part: value } as const
    return { kind: 'upstream_spend_cap', about: upstream, part: value } as const
  })
}

function valuesOf({ values }: Figures, name: FamilyName) {
  return values.filter(({ of }) => of === name)
}

function totalOf(figures: Figures, name: FamilyName): number {
  return valuesOf(figures, name).reduce((sum, { value }) => sum + value, 0)
}

function nameOf({ kind, about }: Trouble): string {
  return `${kind} ${about}`
}
