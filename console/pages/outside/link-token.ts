import { useEffect, useState } from 'react'

declare global {
  interface Window {
    /** The fragment that `first-paint.ts` took out of the address bar. */
    tollgateLink?: string
  }
}

/**
 * The secret of the link that opened this page, which stood in the fragment and is in the address no more; null: there was
 * none, as after a reload. A second link pasted into the same tab is taken, too.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState(() => readToken(window.tollgateLink ?? location.hash))
  useEffect(() => {
    delete window.tollgateLink
    const take = (): void => {
      const next = readToken(location.hash)
      if (next === null) return
      history.replaceState(history.state, '', location.pathname + location.search)
      setToken(next)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}

/** `#token=…`, or the token alone. */
export function readToken(fragment: string): string | null {
  const text = fragment.replace(/^#/, '')
  const token = new URLSearchParams(text).get('token') ?? text
  return /^[A-Za-z0-9._~-]{1,200}$/.test(token) ? token : null
}
