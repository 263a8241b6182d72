import type { ApiKeyView, KeyCreate, KeysPage, KeyWithSecret } from '../../src/contract/keys.ts'
import { request } from './request.ts'

/** By this name lists and records show it. */
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

/** Makes one for an hour. Those that earlier visits left are deleted, so that there is one for each account. */
export async function makePlaygroundKey(reach: PlaygroundReach, nowMs: number): Promise<PlaygroundKey> {
  await deleteLeftKeys(nowMs)
  const endsAtMs = nowMs + LASTS_MS
  const body = { name: PLAYGROUND_NAME, ...reach, expires_at: new Date(endsAtMs).toISOString() }
  const { key, secret } = await request<KeyWithSecret>('/api/keys', { method: 'POST', body })
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
  const drop = (): void => void deleteLeftKeys(nowMs()).catch(() => undefined)
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

/** Ends what the playground made for this account, at the end of a visit or of the session. */
export async function deleteLeftKeys(nowMs: number): Promise<void> {
  const { data } = await request<KeysPage>('/api/keys', { query: { search: PLAYGROUND_NAME, limit: 20 } })
  const left = data.filter((key) => isOfPlayground(key, nowMs))
  await Promise.all(left.map(({ id }) => request(`/api/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })))
}

/** A key that a person gave this name lasts longer, or was made without an end. */
function isOfPlayground(
  { name, created_at: createdAt, expires_at: expiresAt, managed }: ApiKeyView,
  nowMs: number,
): boolean {
  if (name !== PLAYGROUND_NAME || managed || expiresAt === null) return false
  return Date.parse(expiresAt) - Date.parse(createdAt) <= LASTS_MS + 60_000 && Date.parse(createdAt) <= nowMs + 60_000
}
