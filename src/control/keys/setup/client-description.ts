import type {
  ModelSlot,
  SetupAdvice,
  SetupListed,
  SetupNote,
  SetupProtocol,
  SetupTextStep,
} from '../../../contract/setup.ts'
import type { ModelKind } from '../../../core/model-kind.ts'
import type { ModelAbilities } from '../../../routing/abilities-by-name.ts'
import type { NanoUsd } from '../../../core/money.ts'
import { type ClientWire, familyOf, type WireFamily } from '../../../core/wire.ts'

/** A model that the key can call now. */
export interface SetupModel {
  readonly name: string
  /** The wires it can be called over. */
  readonly wires: readonly ClientWire[]
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  readonly kind: ModelKind
  readonly abilities: ModelAbilities
  readonly isRecommended: boolean
  /** Whether it would answer now, by what is known of its upstreams and of late; null: it was not tried. */
  readonly answers: boolean | null
  /** What a conversation costs, by weight: 0 is free; null: it has no price for what it writes. */
  readonly price: NanoUsd | null
}

/** What a setup over one protocol is written from. */
export interface WayContext {
  readonly protocol: SetupProtocol
  /** The gateway's address without a slash at its end: letters, digits and `.:[]-/` only, so that no text has to quote it. */
  readonly origin: string
  /** Tells keys apart in programs that know providers by an id: the end of the key's id. */
  readonly keyMark: string
  /** The origin with `/v1`, for clients that append `/chat/completions`. */
  readonly openaiBaseUrl: string
  /** The key's models that speak the protocol, the suggested one first; never empty. */
  readonly models: readonly SetupModel[]
  /** The models that a file lists; the chosen one may be a placeholder, and may be listed twice until it is filled in. */
  readonly inFiles: readonly Pick<SetupModel, 'name' | 'contextTokens' | 'maxOutputTokens' | 'abilities'>[]
  readonly listed: SetupListed
}

/** The sizes that most models have at least, for a file that takes no model without sizes. */
export const USUAL_CONTEXT_TOKENS = 128_000
export const USUAL_OUTPUT_TOKENS = 8_192

/** A first message: short, so that it costs next to nothing. */
export const MESSAGE = 'Say hello in one word.'

/** The variable that keeps the secret out of files. */
export const KEY_VARIABLE = 'TOLLGATE_API_KEY'
export const KEY_ALONE = { [KEY_VARIABLE]: '{key}' }

/** The base URL that clients of a protocol take: those of OpenAI append what stands behind `/v1`, the others the version too. */
export function clientBaseUrl({ protocol, origin, openaiBaseUrl }: WayContext): string {
  const baseUrls: Record<WireFamily, string> = { openai: openaiBaseUrl, anthropic: origin, gemini: origin }
  return baseUrls[familyOf(protocol)]
}

export function modelSlot(models: readonly SetupModel[]): ModelSlot {
  return { placeholder: 'model', suggested: models[0]?.name ?? '' }
}

export type Shell = 'posix' | 'powershell' | 'cmd'

/** A word of a command line: text, or the value of an environment variable. `{python}` is what the system calls Python. */
export type CommandWord = string | { readonly variable: string }

/** The content of a file: a template, an object whose strings are templates, or an object that lists the key's models. */
export type FileContent = string | object | ((way: WayContext, api: string) => object)

/** A file of a client's configuration, whose language is that of its extension. `~` is the person's home directory. */
export interface ClientFile {
  readonly path: string
  /** The path on Windows, when it is not the same one under `%USERPROFILE%`. */
  readonly windowsPath?: string
  readonly content: FileContent
  /** Absent: it is merged into what is there. */
  readonly note?: SetupNote
}

export type ShellVariables = Readonly<Record<string, string>>

/**
 * A client of the console's list: facts, and templates that `client-steps.ts` writes its steps from. Values are safe inside
 * quotes, or hold placeholders.
 */
export interface ClientDescription {
  readonly id: string
  /** The name as the client's makers write it. */
  readonly name: string
  /** The protocols that the client can speak, the one that suits it best first; OpenAI's chat unless given. */
  readonly protocols?: readonly SetupProtocol[]
  /** Absent: the secret is to be kept out of repositories, where it is in variables. */
  readonly advice?: readonly SetupAdvice[]
  /** The client's names for protocols, where they are not those of their families. */
  readonly apiNames?: Partial<Record<SetupProtocol, string>>
  /** The placeholders for model names; one, `model`, unless given. */
  slots?(models: readonly SetupModel[]): ModelSlot[]
  /** The way through the program's menus to a settings page, in its own English words, and in its Chinese ones where it has them. */
  readonly where?: string
  readonly chineseWhere?: string
  /** Fields of that page, with labels as the program writes them. */
  readonly fields?: readonly (readonly [label: string, value: string, chineseLabel?: string])[]
  /** The whole command; absent for what every system has. */
  readonly install?: string
  readonly file?: ClientFile
  /** Environment variables that would win over those that are set. */
  readonly unset?: readonly string[]
  /** Environment variables; one with an empty value is left out. */
  readonly set?: ShellVariables
  /** Set where nothing is kept for later terminals. */
  readonly isSetForOnce?: true
  /** Variables that the client works without. */
  readonly extra?: ShellVariables
  /** The command that sends a first message without the file. */
  readonly withoutFile?: readonly CommandWord[]
  /** A command that belongs to the setup, such as a sign-in. The client then keeps what it was given. */
  readonly command?: readonly CommandWord[]
  /** The file that is written as an alternative to the environment. */
  readonly keepFile?: ClientFile
  /** A program to save, by its text or by the text for each protocol. */
  readonly code?: { readonly path: string; readonly text: string | Partial<Record<SetupProtocol, string>> }
  /** The command that sends a first message. */
  readonly try?: readonly CommandWord[]
  /** The way that command adds a header: a variable that it reads headers from, or words in front of its last one. */
  readonly header?: { readonly variable: string } | { readonly words: readonly string[] }
  /** The first message of a client whose command is written otherwise in each shell. */
  request?(shell: Shell, way: WayContext): SetupTextStep
}
