import type { MintedKind } from '../../core/credential-kind.ts'
import type { UpstreamDialect } from '../../core/upstream-dialect.ts'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { isCredential } from '../../routing/upstream-settings.ts'
import { type NamedVariables, placeholderIn, type VariableUse } from './named-variables.ts'
import { textIn } from './places.ts'

/** Where a deployment is asked at a cloud, and under which name. */
export interface CloudPlace {
  readonly protocol: RemoteProtocol
  readonly baseUrl: string
  /** Absent: it is asked as its protocol says. */
  readonly dialect?: UpstreamDialect
  readonly region?: string
  readonly apiVersion?: string
  readonly model: string
  readonly credential: CloudCredential
  /** Sentences about what is not as it was. */
  readonly notes: readonly string[]
}

/** A credential, or why there is none (the end of a sentence that begins with the deployment). */
export type CloudCredential =
  | { readonly secret: string; readonly kind?: MintedKind; readonly settings?: Readonly<Record<string, string>> }
  | { readonly lacks: string }

/** The parameters of a deployment, with variables in place of what is not written. */
export class CloudParams {
  readonly #params: ReadonlyMap<string, unknown>
  readonly #variables: NamedVariables
  readonly #use: VariableUse

  constructor(params: ReadonlyMap<string, unknown>, variables: NamedVariables, use: VariableUse) {
    this.#params = params
    this.#variables = variables
    this.#use = use
  }

  has(name: string): boolean {
    return this.#params.has(name)
  }

  value(name: string): unknown {
    return this.#params.get(name)
  }

  /** The text of the first of several parameters that is written; null: none is, or its variable is not read. `as`: what it is. */
  text(names: readonly string[], as: string): string | null {
    const written = names.map((name) => this.#params.get(name)).find((value) => value !== undefined)
    const text = textIn(written)
    if (text === null || placeholderIn(text) !== null) return null
    return this.#variables.resolve(text, as, this.#use)
  }

  /** The text of a parameter, else of the first variable that is set. */
  textOr(names: readonly string[], variables: readonly string[], as: string): string | null {
    if (names.some((name) => this.#params.has(name))) return this.text(names, as)
    return this.#variables.readIfSet(variables, as, this.#use)
  }

  /** A secret that is sent as it is. null: there is none; false: there is one that cannot be taken. */
  secret(name: string, variables: readonly string[], to: string): string | null | false {
    const written = this.#params.get(name)
    const text = textIn(written)
    const value = text === null ? this.#variables.readIfSet(variables, to) : this.#variables.resolve(text, to)
    if (text === null && value === null) return null
    return value !== null && isCredential(value) && placeholderIn(value) === null ? value : false
  }
}

export const LACKS_SECRET =
  'name a credential that is not here, or not taken: see the environment variables above, or set the credential here'
