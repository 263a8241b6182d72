import { useEffect, useRef } from 'react'

let current: (() => void) | null = null

/** What the shortcut for something new does while this is shown. */
export function useNewAction(act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const own = (): void => latest.current()
    current = own
    return () => {
      if (current === own) current = null
    }
  }, [])
}

/** Does it. False: nothing that is shown makes something new. */
export function makeNew(): boolean {
  current?.()
  return current !== null
}
