import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type AskedCode, forgetCode, keepCode, keptCode } from '../../forms/kept-code.ts'

/** What this tab was asked to decide, from a link or by hand; null: nothing. */
export function useAskedCode(): {
  readonly asked: AskedCode | null
  type(code: string): void
  /** Forgets it: it was decided, or no program shows it. */
  forget(): void
} {
  const hash = useLocation({ select: (location) => location.hash })
  const [asked, setAsked] = useState(() => keptCode(Date.now()))
  const keep = (next: AskedCode): void => {
    keepCode(next, Date.now())
    setAsked(next)
  }
  useEffect(() => {
    // The page has other anchors, too.
    if (!looksLikeCode(hash)) return
    // A second link in the same tab, or a browser in which nothing can be kept.
    history.replaceState(history.state, '', location.pathname + location.search)
    keep({ code: hash, isTyped: false })
  }, [hash])
  return {
    asked,
    type: (code) => keep({ code, isTyped: true }),
    forget: () => {
      forgetCode()
      setAsked(null)
    },
  }
}

/** Whether two texts are one code: case, hyphens and blanks are a matter of taste. */
export function isSameCode(one: string, other: string): boolean {
  return lettersOf(one) === lettersOf(other)
}

/** Whether a code may be right: the server knows which letters there are. */
export function looksLikeCode(text: string): boolean {
  return /^[A-Z]{8}$/.test(lettersOf(text))
}

function lettersOf(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '')
}
