import type { KeyCreate, KeyWithSecret } from '../../src/contract/keys.ts'
import { ApiProblem } from './api-problem.ts'
import { apiPath, post, remove } from './request.ts'

/** The name by which lists and records show the key. */
export const PLAYGROUND_NAME = 'Playground'
const LASTS_MS = 60 * 60_000
/** A key that ends sooner is not used for another question. */
const REST_MS = 5 * 60_000

/** The short-lived key of one visit to the playground. Its secret lives in the page that asked for it, and nowhere else. */
export interface PlaygroundKey {
  readonly id: string
  readonly secret: string
  readonly endsAtMs: number
}

/** What it may call: like a key of the account, or in any of its groups. */
export type PlaygroundReach = Pick<KeyCreate, 'group' | 'fallback_groups' | 'allowed_models'>

function isFresh(key: PlaygroundKey | null, nowMs: number): key is PlaygroundKey {
  return key !== null && key.endsAtMs - nowMs > REST_MS
}

/** Makes one for an hour. Those that earlier visits in this browser left are deleted. */
export async function makePlaygroundKey(reach: PlaygroundReach, nowMs: number): Promise<PlaygroundKey> {
  await deleteLeftKeys()
  const endsAtMs = nowMs + LASTS_MS
  const body = { name: PLAYGROUND_NAME, ...reach, expires_at: new Date(endsAtMs).toISOString(), playground: true }
  const { key, secret } = await post<KeyWithSecret>('/api/keys', body)
  keepMade([key.id, ...madeHere()])
  if (secret === null) throw new Error('The answer with the secret was lost.')
  return { id: key.id, secret, endsAtMs }
}

/** One visit to the playground, with the one key that it has at a time. */
export interface PlaygroundVisit {
  /**
   * Calls `send` with the secret of this visit's key, which is made with the first question. `send` resolves with whether
   * the gateway knows the key: another window may have ended it, and then it is called once more, with another key.
   */
  ask(reach: PlaygroundReach, send: (secret: string) => Promise<boolean>): Promise<void>
  /** Ends the key, which expires within the hour where this does not arrive. Nothing is sent after it. */
  leave(): void
}

export function openVisit(nowMs: () => number): PlaygroundVisit {
  let held: PlaygroundKey | null = null
  let isOver = false
  const drop = (): void => void deleteLeftKeys().catch(() => undefined)
  const send = async (reach: PlaygroundReach, use: (secret: string) => Promise<boolean>): Promise<boolean> => {
    const key = isFresh(held, nowMs()) ? held : await makePlaygroundKey(reach, nowMs())
    if (isOver) {
      drop()
      return true
    }
    held = key
    return use(key.secret)
  }
  return {
    async ask(reach, use) {
      if (await send(reach, use)) return
      held = null
      await send(reach, use)
    },
    leave() {
      isOver = true
      if (held !== null) drop()
      held = null
    },
  }
}

/** Ends what the playground made in this browser, at the end of a visit or of the session. Others end within the hour. */
export async function deleteLeftKeys(): Promise<void> {
  const left = madeHere()
  keepMade([])
  const deleted = await Promise.allSettled(left.map((id) => remove(apiPath`/api/keys/${id}`)))
  // What is gone already is as good as deleted; the rest is tried again.
  const failed = left.filter((_, index) => {
    const one = deleted[index]
    return one?.status === 'rejected' && !(one.reason instanceof ApiProblem && one.reason.status < 500)
  })
  if (failed.length > 0) keepMade([...failed, ...madeHere()])
}

const STORED = 'tollgate.playground-keys'
const MOST_KEPT = 20
/** Where the browser forbids storage. */
let kept: readonly string[] = []

/** The ids of keys that the playground made here: by these it knows its own, whatever people call theirs. */
function madeHere(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : []
  } catch {
    return kept
  }
}

function keepMade(ids: readonly string[]): void {
  kept = ids.slice(0, MOST_KEPT)
  try {
    localStorage.setItem(STORED, JSON.stringify(kept))
  } catch {
    // They are kept while the page is open.
  }
}
