import { useEffect, useRef } from 'react'

const INPUTS = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * Does something once, as soon as the reader moves the pointer or presses a key: what may be wanted next is fetched before it
 * is wanted, and still not while the page itself is being loaded.
 */
export function useFirstInput(act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    const end = new AbortController()
    for (const input of INPUTS) {
      addEventListener(
        input,
        () => {
          end.abort()
          latest.current()
        },
        { signal: end.signal, passive: true },
      )
    }
    return () => end.abort()
  }, [])
}
