import type { NamedVariable } from '../import-plan.ts'
import { isOwnVariable, isSigningVariable } from '../own-variables.ts'

const FROM_ENVIRONMENT = 'os.environ/'

/** Whether a value of the configuration stands in an environment variable. */
export function isNamed(text: string): boolean {
  return text.startsWith(FROM_ENVIRONMENT)
}

/** The name of the variable in which a value stands. */
export function nameIn(text: string): string {
  return text.slice(FROM_ENVIRONMENT.length).trim()
}

/** What stands in a value for another that was to be put there, such as `${NAME}`; null: nothing. LiteLLM sends it as it is. */
export function placeholderIn(text: string): string | null {
  const whole = /^(?:\$[A-Za-z_]\w{0,200}|\{\{[^{}]{1,200}\}\}|%\w{1,200}%|<[^<>]{1,200}>)$/.exec(text)
  return whole?.[0] ?? /\$\{[^{}]{1,200}\}/.exec(text)?.[0] ?? null
}

/** What becomes of a value: it is sent, or requests to AWS are signed with it. */
export type VariableUse = 'sent' | 'signing'

function isNeverRead(name: string, use: VariableUse): boolean {
  return isOwnVariable(name) && !(use === 'signing' && isSigningVariable(name))
}

interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** null: any that may ever be read. */
  readonly allowed: ReadonlySet<string> | null
  /** What the configuration sets by itself. */
  readonly configured: ReadonlyMap<string, string>
}

/**
 * The environment variables that a configuration names. Who wrote it may not be who runs the import, so a variable is read only
 * where it may be, and never where it is this gateway's own or the machine's. What the configuration sets by itself is taken
 * from there, as any other value that it has.
 */
export class NamedVariables {
  readonly #sources: Sources
  readonly #named = new Map<string, NamedVariable>()

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** The value behind `os.environ/NAME`, or the text itself. `to`: what it is sent to, or used as. null: it is not read. */
  resolve(text: string, to: string, use: VariableUse = 'sent'): string | null {
    return isNamed(text) ? this.read(nameIn(text), to, use) : text
  }

  /** The value of a variable; null: it is not set, not allowed, or never read. */
  read(name: string, to: string, use: VariableUse = 'sent'): string | null {
    const configured = this.#sources.configured.get(name)
    if (configured !== undefined && !isNeverRead(name, use)) {
      if (isNamed(configured)) return this.#fromEnvironment(nameIn(configured), to, use)
      this.#named.set(JSON.stringify([name, to]), { name, to, state: 'configured' })
      return configured
    }
    return this.#fromEnvironment(name, to, use)
  }

  /** The value of the first of several variables that is set; null: none is, or it is not read. */
  readIfSet(names: readonly string[], to: string, use: VariableUse = 'sent'): string | null {
    const name = names.find((each) => this.#isSet(each))
    return name === undefined ? null : this.read(name, to, use)
  }

  /** The first of several names that has a value. */
  readFirst(names: readonly string[], to: string): string | null {
    const name = names.find((each) => this.#isSet(each)) ?? names[0]
    return name === undefined ? null : this.read(name, to)
  }

  /** Whether one of several names has a value that may be read. */
  hasAny(names: readonly string[]): boolean {
    const { allowed } = this.#sources
    return names.some((name) => this.#isSet(name) && (this.isConfigured(name) || allowed === null || allowed.has(name)))
  }

  #isSet(name: string): boolean {
    const { environment } = this.#sources
    return this.isConfigured(name) || (Object.hasOwn(environment, name) && (environment[name] ?? '') !== '')
  }

  /** Whether the configuration sets it by itself. */
  isConfigured(name: string): boolean {
    return this.#sources.configured.has(name)
  }

  #fromEnvironment(name: string, to: string, use: VariableUse): string | null {
    const { environment, allowed } = this.#sources
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    const isSet = typeof value === 'string' && value !== ''
    const isAllowed = allowed === null || allowed.has(name)
    const state = isNeverRead(name, use) ? 'never' : !isSet ? 'unset' : isAllowed ? 'taken' : 'not_allowed'
    this.#named.set(JSON.stringify([name, to]), { name, to, state })
    return state === 'taken' ? (value ?? null) : null
  }

  get named(): readonly NamedVariable[] {
    return [...this.#named.values()]
  }
}
