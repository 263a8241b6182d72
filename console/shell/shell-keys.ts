import type { PATHS } from '../paths.ts'

/** What a key that was pressed asks for, wherever one is. */
export type ShellAction =
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  /** The field in which the page is searched. */
  | { readonly kind: 'search' }
  /** What is made on the page: a key, or what the page says. */
  | { readonly kind: 'new' }
  | { readonly kind: 'page'; readonly page: GoPage }
  /** The first key of two. */
  | { readonly kind: 'go' }

export type GoPage = (typeof GO)[keyof typeof GO] & keyof typeof PATHS

/** The second key after `g`. */
export const GO = {
  o: 'overview',
  k: 'keys',
  u: 'usage',
  m: 'models',
  b: 'billing',
  p: 'playground',
  a: 'account',
} as const

export interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export interface ShellKeysState {
  readonly isMac: boolean
  /** Whether keys without a modifier do anything: they are on, nothing is typed into, and nothing is open. */
  readonly isFree: boolean
  /** Whether `g` was pressed just before. */
  readonly isGoing: boolean
}

/** What a key asks for; null: nothing of the shell's. Ctrl belongs to editing on a Mac, where it is the command key. */
export function shellActionOf({ key, ctrlKey, metaKey, altKey }: Pressed, state: ShellKeysState): ShellAction | null {
  const isCommand = state.isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  if (isCommand && !altKey && key.toLowerCase() === 'k') return { kind: 'palette' }
  if (ctrlKey || metaKey || altKey || !state.isFree) return null
  if (state.isGoing) return isGoKey(key) ? { kind: 'page', page: GO[key] } : null
  switch (key) {
    case '?':
      return { kind: 'shortcuts' }
    case '/':
      return { kind: 'search' }
    case 'n':
      return { kind: 'new' }
    case 'g':
      return { kind: 'go' }
    default:
      return null
  }
}

function isGoKey(key: string): key is keyof typeof GO {
  return Object.hasOwn(GO, key)
}

/** Whether this keyboard has a command key. */
export const IS_MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)
