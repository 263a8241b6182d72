/** What is sealed of a captured request, as the API shows it: see `contract/captures.ts`. */
export interface CapturedContent {
  readonly request: CapturedMessage
  /** null: the client left before it got one. */
  readonly response: (CapturedMessage & { readonly status: number }) | null
  readonly attempts: readonly CapturedAttempt[]
}

/** `headers`: name and value, of a closed list of names. */
export interface CapturedMessage {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: CapturedBody
}

export interface CapturedBody {
  /** Base64 where the bytes are not text. */
  readonly encoding: 'utf8' | 'base64'
  readonly text: string
  /** How many bytes there were, however much of them is kept. */
  readonly bytes: number
  readonly is_cut: boolean
}

/** One attempt at an upstream. */
export interface CapturedAttempt {
  readonly upstream: string
  readonly model: string
  readonly path: string
  readonly request: CapturedMessage
  /** null: no answer came. */
  readonly response: (CapturedMessage & { readonly status: number }) | null
}
