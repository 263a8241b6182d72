import type { ReactNode } from 'react'

/** Something is under way. Its parent says so in words, too. */
export function Spinner(): ReactNode {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 shrink-0 animate-spin">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.6" opacity=".25" />
      <path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  )
}
