import type { ReactNode } from 'react'

/** The mark, a raised gate, and the name. */
export function Logo(): ReactNode {
  return (
    <span className="inline-flex items-center gap-2 text-lg font-semibold tracking-tight">
      <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5">
        <path d="M2.5 17.5h15" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" opacity=".35" />
        <path d="M5 17V8.5" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
        <path d="M5 9.2 16.5 3" stroke="var(--color-brass)" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      Tollgate
    </span>
  )
}
