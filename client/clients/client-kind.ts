/** What is known of a client: how it is found, what is written for it, and how it is tried. */
import { existsSync } from 'node:fs'
import type { PlannedFile } from '../changes/prepared-file.ts'
import type { DeviceState } from '../gateway/device.ts'
import { Failure, type Host, variable } from '../host.ts'

/** How the client comes to a token: by its own sign-in, by a command that it runs, or by a secret in a file of its own. */
export type Form = 'sign_in' | 'token_command' | 'stored'

/** The protocols that a message can be sent in. */
export type Protocol = 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini'

export interface Asked {
  readonly host: Host
  readonly address: string
  readonly state: DeviceState
  /** The model that the person named; null: the one that suits the client. */
  readonly model: string | null
  /** The secret of the stored form; dots while it is not made yet. */
  readonly secret: string
  /** Whether this program has set the client up before. */
  readonly isSetUp: boolean
  readonly wants: { readonly tokenCommand: boolean; readonly statusLine: boolean }
}

export interface Plan {
  readonly form: Form
  readonly files: readonly PlannedFile[]
  /** What is left for the person to do or to know. */
  readonly notes: readonly string[]
  readonly protocol: Protocol
  readonly model: string
  /** The client's own command for one message; null where it has none, or is not used yet. */
  readonly message: { readonly program: string; readonly args: readonly string[]; readonly env?: Env } | null
}

export type Env = Readonly<Record<string, string>>

export interface ClientKind {
  readonly id: string
  readonly name: string
  readonly programs: readonly string[]
  /** A folder that says that the client has been used here. */
  readonly folder: (host: Host) => string
  /** Throws a Failure with one sentence where this program changes nothing. */
  readonly plan: (asked: Asked) => Plan | Promise<Plan>
  /** Variables by which the client runs with a token alone; absent where it takes none. */
  readonly env?: (asked: Asked) => Env
}

export const MESSAGE = 'Reply with OK.'

/** The model for a client: the one that was named, or the first that one of the patterns finds, or any. */
export function chosenModel({ state, model }: Pick<Asked, 'state' | 'model'>, ...wanted: readonly RegExp[]): string {
  const { models, group } = state
  if (model !== null) {
    if (!models.includes(model)) {
      throw new Failure(
        `${model} is not a model of ${group === null ? 'your group' : `the group ${group}`}. There are: ${models.join(', ')}.`,
      )
    }
    return model
  }
  const found = wanted.map((pattern) => models.find((each) => pattern.test(each))).find((each) => each !== undefined)
  const first =
    found ?? models.find((each) => !/embed|image|tts|whisper|audio|moderation|rerank/i.test(each)) ?? models[0]
  if (first === undefined) throw new Failure('Your group has no model: ask the people who run the gateway.')
  return first
}

/** The absolute path of a program in the folders of PATH; null where it is in none. */
export function programOnPath(host: Host, program: string): string | null {
  const separator = host.system === 'windows' ? ';' : ':'
  const endings = host.system === 'windows' ? ['.exe', '.cmd', '.bat'] : ['']
  const folders = (variable(host, 'PATH') ?? variable(host, 'Path') ?? '')
    .split(separator)
    .filter((each) => host.paths.isAbsolute(each))
  return (
    folders
      .flatMap((folder) => endings.map((end) => host.paths.join(folder, program + end)))
      .find((path) => existsSync(path)) ?? null
  )
}

/** Whether the client seems to be on this computer. */
export function isThere(host: Host, kind: ClientKind): boolean {
  return kind.programs.some((program) => programOnPath(host, program) !== null) || existsSync(kind.folder(host))
}
