import { useSyncExternalStore } from 'react'
import { SITE_PATH } from '../site.ts'

/**
 * Whether the gateway can be reached: one state for the whole console. It is doubted when a request got no answer, and
 * then asked for, so that one broken connection is not taken for a gateway that is down.
 */
export type Connection =
  | { readonly kind: 'up' }
  /** `nextTryMs`: when it is asked again, epoch milliseconds; null: just now. */
  | { readonly kind: 'down'; readonly nextTryMs: number | null }
  /** The gateway serves another build of the console than this tab runs. */
  | { readonly kind: 'updated' }

const RETRY_MS = 5_000
/** A gateway that hangs is as good as none. */
const ANSWER_WITHIN_MS = 5_000

/** A path under /api: what stands in front of the gateway passes it on as it does the rest of the API. */
const ALIVE = '/api/hello'
const PAGE = '/console/'

let current: Connection = { kind: 'up' }
let checking: Promise<Connection> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const healed = new Set<() => void>()

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => current)
}

/** Whether the gateway was found to be down. */
export function isDown(): boolean {
  return current.kind === 'down'
}

/** Asks the gateway whether it is there, and the first time after it was not, whether it is still of this build. */
export function checkConnection(): Promise<Connection> {
  checking ??= check().finally(() => {
    checking = undefined
  })
  return checking
}

/** Whether the console was updated since this tab was opened. Asked when a file of it cannot be fetched. */
export async function checkBuild(): Promise<Connection> {
  const found = await checkConnection()
  if (found.kind === 'up' && (await isOtherBuild())) become({ kind: 'updated' })
  return current
}

/** `listener` is called when the gateway answers again. Returns how to stop that. */
export function onHealed(listener: () => void): () => void {
  healed.add(listener)
  return () => healed.delete(listener)
}

async function check(): Promise<Connection> {
  clearTimeout(timer)
  const wasDown = current.kind === 'down'
  if (wasDown) become({ kind: 'down', nextTryMs: null })
  if (!(await isAlive())) {
    become({ kind: 'down', nextTryMs: Date.now() + RETRY_MS })
    timer = setTimeout(checkWhenSeen, RETRY_MS)
    return current
  }
  if (!wasDown) return current
  become({ kind: (await isOtherBuild()) ? 'updated' : 'up' })
  for (const listener of healed) listener()
  return current
}

/** A hidden tab asks for nothing. */
function checkWhenSeen(): void {
  if (document.hidden) document.addEventListener('visibilitychange', checkWhenSeen, { once: true })
  else void checkConnection()
}

async function isAlive(): Promise<boolean> {
  try {
    const response = await ask(ALIVE)
    const body: unknown = response.ok ? await response.json() : null
    return typeof body === 'object' && body !== null && Reflect.get(body, 'status') === 'alive'
  } catch {
    return false
  }
}

/** The build of the console that runs here; null: it was not built, as during development. */
export function buildName(): string | null {
  return /-([\w-]{8})\.js$/.exec(entry() ?? '')?.[1] ?? null
}

/** A build is known by the name of its entry, which changes with anything in it. */
function entry(): string | undefined {
  return document.querySelector<HTMLScriptElement>('script[type="module"]')?.src.split('/').at(-1)
}

/** A page that cannot be read is of the same build. */
async function isOtherBuild(): Promise<boolean> {
  const own = entry()
  try {
    const response = await ask(PAGE)
    const text = await response.text()
    return own !== undefined && response.ok && text.includes('id="root"') && !text.includes(`/${own}"`)
  } catch {
    return false
  }
}

function ask(path: string): Promise<Response> {
  return fetch(SITE_PATH + path, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
}

function become(next: Connection): void {
  current = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
