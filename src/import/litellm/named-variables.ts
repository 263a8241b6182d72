import type { NamedVariable } from '../import-plan.ts'
import { isOwnVariable } from '../own-variables.ts'

const FROM_ENVIRONMENT = 'os.environ/'

/** Whether a value of the configuration stands in an environment variable. */
export function isNamed(text: string): boolean {
  return text.startsWith(FROM_ENVIRONMENT)
}

/** The name of the variable in which a value stands. */
export function nameIn(text: string): string {
  return text.slice(FROM_ENVIRONMENT.length)
}

/**
 * The environment variables that a configuration names. Who wrote it may not be who runs the import, so a variable is read only
 * where it may be, and never where it is this gateway's own or the machine's. `allowed` null: any other may be read.
 */
export class NamedVariables {
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #allowed: ReadonlySet<string> | null
  readonly #named = new Map<string, NamedVariable>()

  constructor(environment: Readonly<Record<string, string | undefined>>, allowed: ReadonlySet<string> | null) {
    this.#environment = environment
    this.#allowed = allowed
  }

  /** The value behind `os.environ/NAME`, or the text itself. `to`: what it is sent to, or used as. null: it is not read. */
  resolve(text: string, to: string): string | null {
    return isNamed(text) ? this.read(nameIn(text), to) : text
  }

  /** The value of a variable; null: it is not set, not allowed, or never read. */
  read(name: string, to: string): string | null {
    const value = Object.hasOwn(this.#environment, name) ? this.#environment[name] : undefined
    const isSet = typeof value === 'string' && value !== ''
    const isAllowed = this.#allowed === null || this.#allowed.has(name)
    const state = isOwnVariable(name) ? 'never' : !isSet ? 'unset' : isAllowed ? 'taken' : 'not_allowed'
    this.#named.set(JSON.stringify([name, to]), { name, to, state })
    return state === 'taken' ? (value ?? null) : null
  }

  get named(): readonly NamedVariable[] {
    return [...this.#named.values()]
  }
}
