import type { Approximation, ApproximationName, Note } from './import-plan.ts'

/** Gathers what a plan says beside its objects: each sentence once, with all the rows that it is about. */
export class ImportNotes {
  readonly #notes = new Map<string, { table: string; what: string; ids: string[] }>()
  readonly #approximations = new Map<ApproximationName, Set<string>>()

  /** `id`: of the row; null: of the table as a whole. */
  note(table: string, id: string | null, what: string): void {
    const key = `${table}\n${what}`
    const known = this.#notes.get(key) ?? { table, what, ids: [] }
    if (id !== null && known.ids.at(-1) !== id) known.ids.push(id)
    this.#notes.set(key, known)
  }

  approximate(name: ApproximationName, subject: string): void {
    this.#approximations.set(name, (this.#approximations.get(name) ?? new Set<string>()).add(subject))
  }

  get notes(): readonly Note[] {
    return [...this.#notes.values()]
  }

  get approximations(): readonly Approximation[] {
    return [...this.#approximations].map(([name, subjects]) => ({ name, subjects: [...subjects] }))
  }
}
