import type { AlertTemplate } from '../core/alert-template.ts'

/** Reads the template that an admin has set; null: none is. */
export type ReadTemplate = () => Promise<AlertTemplate | null>

const READ_WITHIN_MS = 2_000

/**
 * The template as it is now, or as it was read last where the database does not answer in time: an alert that the
 * database is away goes out in its form too.
 */
export class LastTemplate {
  readonly #read: ReadTemplate
  #last: AlertTemplate | null = null

  constructor(read: ReadTemplate) {
    this.#read = read
  }

  /** Never rejects. */
  async now(): Promise<AlertTemplate | null> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<AlertTemplate | null>((resolve) => {
      timer = setTimeout(() => resolve(this.#last), READ_WITHIN_MS)
    })
    const read = this.#read().then(
      (template) => (this.#last = template),
      () => this.#last,
    )
    const template = await Promise.race([read, late])
    clearTimeout(timer)
    return template
  }
}
